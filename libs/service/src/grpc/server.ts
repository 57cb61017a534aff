import { Server, ServerCredentials, type ChannelOptions, type ServiceDefinition, type UntypedServiceImplementation } from '@grpc/grpc-js';
import type { Logger } from '@stechuhr/kernel';
import { identityFromEnvironment, type GrpcIdentity } from '../config.js';
import { releasePort } from '../held-ports.js';
import { CALLS_PER_REPLICA, limitCalls } from './call-slots.js';
import { onlyCallers, serverCredentials } from './identity.js';
import { createCallTurns, takesTurns, type CallTurns } from './institution-turns.js';
import { MAX_MESSAGE_BYTES } from './limits.js';
import { logCallTo, type ServedCall } from './observed-call.js';
import { patchSessions, PING_TIMEOUT_MS } from './sessions.js';
import { allowResets } from './stream-resets.js';

/** A service of the contract, and its handlers. */
export interface ServedService {
  readonly definition: ServiceDefinition;
  readonly implementation: UntypedServiceImplementation;
}

/** The options of {@link startGrpcServer}. */
export interface GrpcServerOptions {
  /** `host:port`; port 0 selects any free port. */
  readonly bind: string;
  readonly services: readonly ServedService[];
  /** Folder of the descriptors for reflection; found automatically in a checkout or through `STECHUHR_PROTOS`. */
  readonly protoRoot?: string;
  /** Its certificate and the callers that it accepts; from the environment by default. */
  readonly identity?: GrpcIdentity;
  /** Calls that are answered at a time, 2,000 by default; 0 disables the limit. */
  readonly concurrentCalls?: number | undefined;
  readonly logger: Logger;
}

/** A running gRPC server. */
export interface GrpcServer {
  /** The port that was bound. */
  readonly port: number;
  /** The port that serves only health checks, if one is configured. */
  readonly healthPort?: number;
  /** Sets the health status of the server and of each of its services; initially false. */
  setServing(serving: boolean): void;
  /** Stops accepting calls, and waits up to `limitMs` milliseconds for running ones. */
  drain(limitMs: number): Promise<void>;
  /** Stops accepting calls, waits up to 10 s for running ones (not at all after a drain), then ends them. */
  stop(): Promise<void>;
}

/** How long a call, such as a long import or export, may go on when its connection has become too old, in milliseconds. */
const LONGEST_CALL_MS = 60 * 60_000;

/**
 * Streams of a connection at a time; further calls wait at the caller. Even a refused call takes memory until its answer has gone out, and tens of
 * thousands at once would take all of it. As many as all connections together get slots for by default, so that a caller is refused before.
 */
const MAX_STREAMS = 2_000;

const OPTIONS: ChannelOptions = {
  'grpc.max_concurrent_streams': MAX_STREAMS,
  'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
  'grpc.max_send_message_length': MAX_MESSAGE_BYTES,
  // When a connection ends, its client resolves the name again, so that new replicas get their share (docs/rules/services.md#calls).
  'grpc.max_connection_age_ms': 5 * 60_000,
  'grpc.max_connection_age_grace_ms': LONGEST_CALL_MS,
  'grpc.keepalive_time_ms': 30_000,
  'grpc.keepalive_timeout_ms': PING_TIMEOUT_MS,
};
const STOP_GRACE_MS = 10_000;

/** Starts a gRPC server with health checks and reflection. It accepts calls at once, but reports healthy only after `setServing(true)`. */
export async function startGrpcServer(options: GrpcServerOptions): Promise<GrpcServer> {
  // Imported lazily: these packages load a parser of proto files, a quarter of everything that a command without a server loads.
  const [{ HealthImplementation, service: healthDefinition }, { addReflection, findProtoRoot }] = await Promise.all([
    import('grpc-health-check'),
    import('./reflection.js'),
  ]);
  const identity = options.identity ?? identityFromEnvironment();
  patchSessions();
  const paths = options.services.flatMap(({ definition }) => Object.values(definition).map(({ path }) => path));
  const { concurrentCalls = CALLS_PER_REPLICA } = options;
  // Those who may not call are refused before they take a slot.
  const interceptors = [...onlyCallers(identity, { paths, logger: options.logger }), ...limitCalls(concurrentCalls, paths)];
  const server = new Server({ ...OPTIONS, interceptors });
  allowResets(server);
  const turns = createCallTurns();
  for (const { definition, implementation } of options.services) {
    server.addService(definition, prepared(implementation, { logger: options.logger, turns }));
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
      // Not closing gracefully, because a connection to an unresponsive client would never be reported as closed.
      if (!(await isOverWithin(graceMs))) server.forceShutdown();
      probed.forceShutdown();
    },
  };
}

function serviceNames(definition: ServiceDefinition): string[] {
  const paths = Object.values(definition).map((method) => method.path.split('/')[1] ?? '');
  return [...new Set(paths)];
}

/** Returns the handlers, each of whose calls is given what only the server has. */
function prepared(
  implementation: UntypedServiceImplementation,
  { logger, turns }: { readonly logger: Logger; readonly turns: CallTurns },
): UntypedServiceImplementation {
  const handlers = Object.entries(implementation).map(([name, handler]) => {
    // All four kinds of handlers take the call as their first argument; their union type cannot be called directly.
    const handle = handler as (call: ServedCall, callback: unknown) => void;
    const prepare = (call: ServedCall, callback: unknown) => {
      logCallTo(call, logger);
      takesTurns(call, turns);
      handle(call, callback);
    };
    return [name, prepare];
  });
  return Object.fromEntries(handlers);
}

function bind(server: Server, address: string, credentials: ServerCredentials): Promise<number> {
  return new Promise((resolve, reject) => {
    releasePort(address);
    server.bindAsync(address, credentials, (error, port) => {
      if (error) reject(error);
      else resolve(port);
    });
  });
}

/** Stops accepting calls; resolves when no call is running. */
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
