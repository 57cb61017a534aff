import { Channel, type ChannelCredentials, type Client, type ClientOptions } from '@grpc/grpc-js';
import { identityFromEnvironment, type GrpcIdentity } from '../config.js';
import { waitToConnect } from './connected.js';
import { grantSigner, type GrantSigner } from './grants/sign-grants.js';
import { signCallsOf } from './grants/granted-metadata.js';
import { headlessTarget } from './headless-resolver.js';
import { patchSessions, PING_TIMEOUT_MS } from './sessions.js';
import { clientCredentials } from './identity.js';
import { MAX_MESSAGE_BYTES } from './limits.js';
import { renewedChannel } from './renewed-channel.js';

/** The constructor of a generated client. */
export type ClientConstructor<C> = new (address: string, credentials: ChannelCredentials, options?: Partial<ClientOptions>) => C;

const OPTIONS: Partial<ClientOptions> = {
  // Distributes calls over every address that DNS returns (headless Services); load balancing by connection would pin a replica.
  'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
  'grpc.service_config_disable_resolution': 1,
  'grpc.dns_min_time_between_resolutions_ms': 1_000,
  // A service that is available again is found within a second.
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 750,
  // A service that has stopped, or whose network is down, is detected within 5 s, even if no call is being made.
  'grpc.keepalive_time_ms': 1_500,
  'grpc.keepalive_timeout_ms': PING_TIMEOUT_MS,
  'grpc.keepalive_permit_without_calls': 1,
  'grpc.use_local_subchannel_pool': 1,
  'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
  'grpc.max_send_message_length': MAX_MESSAGE_BYTES,
  // A proxy from the environment is meant for external addresses, never for calls between services.
  'grpc.enable_http_proxy': 0,
  channelFactoryOverride: (address, credentials, options) => renewedChannel(() => new Channel(address, credentials, options)),
};

/** How a client authenticates and connects. */
export interface GrpcClientOptions {
  /** Its certificate; from the environment by default. */
  readonly identity?: GrpcIdentity;
  /**
   * How long a call waits while a connection is being established, in milliseconds. The default of 1.5 s is for services that have other
   * requests to serve meanwhile. If the connection is refused, the call fails after 1.5 s in any case.
   */
  readonly connectMs?: number;
}

/**
 * Creates the client of another service. It connects with its first call, or with {@link connectAhead}, and reconnects when needed.
 *
 * @param Constructor the generated client class, such as `recordsV1.RecordsServiceClient`
 * @param address `host:port`
 */
export function createGrpcClient<C extends object>(
  Constructor: ClientConstructor<C>,
  address: string,
  { identity = identityFromEnvironment(), connectMs }: GrpcClientOptions = {},
): C {
  patchSessions();
  const client = new Constructor(headlessTarget(address), clientCredentials(identity), OPTIONS);
  if (connectMs !== undefined) waitToConnect(client, connectMs);
  if (identity.tlsFolder !== undefined) signCallsOf(client, signerOf(identity.tlsFolder));
  return client;
}

const signers = new Map<string, GrantSigner>();

/** Returns the signer shared by all clients of a process: a signature is valid for calls to all services. */
function signerOf(tlsFolder: string): GrantSigner {
  const signer = signers.get(tlsFolder) ?? grantSigner(tlsFolder);
  signers.set(tlsFolder, signer);
  return signer;
}

/**
 * Starts connecting to services that will be called soon, so that the first requests do not wait for handshakes. Returns immediately;
 * unavailable services are retried until they answer.
 */
export function connectAhead(...clients: readonly Client[]): void {
  for (const client of clients) client.getChannel().getConnectivityState(true);
}

// Shorter than the limit of the admin server for a check, so that its response names the service.
const REACH_TIMEOUT_MS = 1_500;

/** Rejects if the service cannot be reached within 1.5 s; for `/readyz`. */
export function checkReachable(client: Client): Promise<void> {
  return new Promise((resolve, reject) => {
    client.waitForReady(Date.now() + REACH_TIMEOUT_MS, (error) => (error ? reject(error) : resolve()));
  });
}
