import type { NodeConnectionOptions } from '@nats-io/transport-node';
import { AppError, type Logger } from '@stechuhr/kernel';
import { replicasFromEnvironment } from './config.js';
import { startConsumption, type Consumption, type ConsumeOptions } from './consume.js';
import { createStreamKeeper } from './keep-streams.js';
import { openLink, type PendingLink } from './link.js';
import { createPublisher, type PublishOptions } from './publish.js';

/** What {@link connectBus} needs. */
export interface BusOptions {
  /** NATS addresses, separated by commas; credentials may be in the first (`nats://user:password@host:4222`). */
  readonly servers: string;
  /** Name of the connection: the service. */
  readonly name: string;
  readonly logger: Logger;
  /** Copies of each stream: 3 in production, `NATS_REPLICAS` by default. Without it new streams get one and existing ones keep theirs. */
  readonly replicas?: number | undefined;
}

/** The connection of a process to JetStream. */
export interface Bus {
  /**
   * Publishes one message and waits until the stream has stored it; at most 128 wait at a time, further ones queue. The trace of the
   * active span travels in the headers.
   *
   * @throws AppError `unavailable` when the bus is unavailable or does not acknowledge within 5 s
   */
  publish(subject: string, payload: Uint8Array | string, options?: PublishOptions): Promise<void>;
  /** Handles the messages of a durable consumer until stopped; see {@link ConsumeOptions}. */
  consume(options: ConsumeOptions): Consumption;
  /**
   * Creates the streams of the platform, or brings their limits up to date; without a connection as soon as there is one. From then on they
   * are created again when the server turns out to have lost them.
   */
  ensureStreams(): Promise<void>;
  /** Whether there is a connection at this moment. */
  isConnected(): boolean;
  /** Rejects without a connection; for `/readyz`. */
  ping(): Promise<void>;
  /** Waits for what was sent, then ends the connection. Stop consumers and relays first. */
  close(): Promise<void>;
}

/**
 * Connects to JetStream. When no server answers, the bus connects in the background and meanwhile refuses what is published: a service
 * that has an outbox need not wait for NATS.
 */
export async function connectBus({ servers, name, logger, replicas = replicasFromEnvironment() }: BusOptions): Promise<Bus> {
  const link: PendingLink = await openLink(connectionOptions(servers, name), logger, () => keeper.missed());
  const keeper = createStreamKeeper(link, logger, replicas);
  const onMissingStream = () => keeper.missed();
  const publish = createPublisher(() => link.current()?.client, onMissingStream);
  return {
    publish,
    consume: (options) => startConsumption({ ...options, established: link.established, publish, logger, onMissingStream }),
    ensureStreams: () => keeper.ensure(),
    isConnected: () => link.isConnected(),
    async ping() {
      if (!link.isConnected()) throw new AppError('unavailable', 'There is no connection to NATS.');
    },
    close: () => link.close(),
  };
}

/** How every process connects. */
export function connectionOptions(servers: string, name: string): NodeConnectionOptions {
  const addresses = servers.split(',').map((address) => address.trim());
  const { username, password } = new URL(addresses[0]?.includes('://') ? addresses[0] : `nats://${addresses[0]}`);
  return {
    servers: addresses.map((address) => address.replace(/\/\/[^@/]*@/, '//')),
    name,
    // A user may subscribe to its own inbox only, so that no service reads another's replies.
    ...(username && { user: decodeURIComponent(username), pass: decodeURIComponent(password), inboxPrefix: `_INBOX_${username}` }),
    timeout: 5_000,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    reconnectJitter: 250,
    pingInterval: 20_000,
    // Two errors with their stacks for each message, made before anything fails, cost more than publishing it.
    noAsyncTraces: true,
  };
}
