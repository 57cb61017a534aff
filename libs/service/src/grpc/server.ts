import { Server, ServerCredentials, type ChannelOptions, type ServiceDefinition, type UntypedServiceImplementation } from '@grpc/grpc-js';
import type { Logger } from '@stechuhr/kernel';
import { identityFromEnvironment, type GrpcIdentity } from '../config.js';
import { ANSWER_MS, keepClosingSessions } from './closing-sessions.js';
import { onlyCallers, serverCredentials } from './identity.js';
import { MAX_MESSAGE_BYTES } from './limits.js';
import { logCallTo, type ServedCall } from './observed-call.js';

/** A gRPC service and its handlers. */
export interface ServedService {
  readonly definition: ServiceDefinition;
  readonly implementation: UntypedServiceImplementation;
}

/** What {@link startGrpcServer} needs. */
export interface GrpcServerOptions {
  /** `host:port`; port 0 chooses any free port. */
  readonly bind: string;
  readonly services: readonly ServedService[];
  /** Folder of the compiled contracts for reflection; found automatically in a repository or through `STECHUHR_PROTOS`. */
  readonly protoRoot?: string;
  /** Its identity and accepted callers; from the environment by default. */
  readonly identity?: GrpcIdentity;
  readonly logger: Logger;
}

/** A running gRPC server. */
export interface GrpcServer {
  /** The port that was bound. */
  readonly port: number;
  /** The port that serves only health, where one is configured. */
  readonly healthPort?: number;
  /** What the health service reports for the server and each of its services; false at the start. */
  setServing(serving: boolean): void;
  /** Accepts no further calls, and waits for running ones up to the limit. */
  drain(limitMs: number): Promise<void>;
  /** Accepts no further calls, waits up to 10 s for running ones (not at all after a drain), then aborts them. */
  stop(): Promise<void>;
}

const OPTIONS: ChannelOptions = {
  'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
  'grpc.max_send_message_length': MAX_MESSAGE_BYTES,
  // When a connection ends, its client resolves DNS again, so that new replicas get their share (docs/rules/services.md#calls).
  'grpc.max_connection_age_ms': 5 * 60_000,
  // Long imports or exports on an old connection are not aborted.
  'grpc.max_connection_age_grace_ms': 60 * 60_000,
  'grpc.keepalive_time_ms': 30_000,
  'grpc.keepalive_timeout_ms': ANSWER_MS.ofClient,
};
const STOP_GRACE_MS = 10_000;

/** Starts a gRPC server with health and reflection. It serves at once, but reports healthy only after `setServing(true)`. */
export async function startGrpcServer(options: GrpcServerOptions): Promise<GrpcServer> {
  // Loaded lazily: they load a parser of proto files, a quarter of what a command loads, although commands need no server.
  const [{ HealthImplementation, service: healthDefinition }, { addReflection, findProtoRoot }] = await Promise.all([
    import('grpc-health-check'),
    import('./reflection.js'),
  ]);
  const identity = options.identity ?? identityFromEnvironment();
  keepClosingSessions();
  const server = new Server({ ...OPTIONS, interceptors: onlyCallers(identity, options.logger) });
  for (const { definition, implementation } of options.services) {
    server.addService(definition, withLogger(implementation, options.logger));
  }
  const names = options.services.flatMap(({ definition }) => serviceNames(definition));
  const health = new HealthImplementation();
  health.addToServer(server);
  const setServing = (serving: boolean) => {
    for (const name of ['', ...names]) health.setStatus(name, serving ? 'SERVING' : 'NOT_SERVING');
  };
  setServing(false);
  const protoRoot = options.protoRoot ?? findProtoRoot();
  const isReflected = protoRoot !== undefined && addReflection(server, protoRoot, [...names, ...serviceNames(healthDefinition)]);
  if (!isReflected) options.logger.warn({ services: names }, 'no descriptions of the contracts found, reflection is off');
  const probed = new Server();
  health.addToServer(probed);
  const healthPort = identity.healthBind && (await bind(probed, identity.healthBind, ServerCredentials.createInsecure()));
  const port = await bind(server, options.bind, serverCredentials(identity));
  let graceMs = STOP_GRACE_MS;
  let end: Promise<void> | undefined;
  const isOverWithin = (limitMs: number): Promise<boolean> => {
    setServing(false);
    return within(limitMs, (end ??= shutDown(server)));
  };
  return {
    port,
    ...(healthPort && { healthPort }),
    setServing,
    async drain(limitMs) {
      await isOverWithin(limitMs);
      graceMs = 0;
    },
    async stop() {
      // A connection whose other end is silent would never be reported as closed.
      if (!(await isOverWithin(graceMs))) server.forceShutdown();
      probed.forceShutdown();
    },
  };
}

function serviceNames(definition: ServiceDefinition): string[] {
  const paths = Object.values(definition).map((method) => method.path.split('/')[1] ?? '');
  return [...new Set(paths)];
}

function withLogger(implementation: UntypedServiceImplementation, logger: Logger): UntypedServiceImplementation {
  const handlers = Object.entries(implementation).map(([name, handler]) => {
    // Each of the four kinds of handler takes the call first; their union type cannot be called directly.
    const handle = handler as (call: ServedCall, callback: unknown) => void;
    const logged = (call: ServedCall, callback: unknown) => {
      logCallTo(call, logger);
      handle(call, callback);
    };
    return [name, logged];
  });
  return Object.fromEntries(handlers);
}

function bind(server: Server, address: string, credentials: ServerCredentials): Promise<number> {
  return new Promise((resolve, reject) => {
    server.bindAsync(address, credentials, (error, port) => {
      if (error) reject(error);
      else resolve(port);
    });
  });
}

/** Accepts nothing any more; resolves when no call is running. */
function shutDown(server: Server): Promise<void> {
  return new Promise((resolve) => server.tryShutdown(() => resolve()));
}

async function within(limitMs: number, end: Promise<void>): Promise<boolean> {
  const { promise: limit, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(resolve, limitMs, false);
  try {
    return await Promise.race([end.then(() => true), limit]);
  } finally {
    clearTimeout(timer);
  }
}
