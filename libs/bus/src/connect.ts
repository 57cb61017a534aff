import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection, type NodeConnectionOptions } from '@nats-io/transport-node';
import type { Logger } from '@stechuhr/kernel';
import { startConsumption, type Consumption, type ConsumeOptions } from './consume.js';
import { createPublisher, type PublishOptions } from './publish.js';
import { ensureStreams } from './ensure-streams.js';

/** What {@link connectBus} needs. */
export interface BusOptions {
  /** NATS addresses, separated by commas; credentials may be in the first (`nats://user:password@host:4222`). */
  readonly servers: string;
  /** Name of the connection: the service. */
  readonly name: string;
  readonly logger: Logger;
  /** Copies of each stream: 3 in production. Without it new streams get one and existing ones keep theirs. */
  readonly replicas?: number;
}

/** The connection of a process to JetStream. */
export interface Bus {
  /**
   * Publishes one message and waits until the stream has stored it; at most 128 wait at a time, further ones queue. The trace of the
   * active span travels in the headers.
   *
   * @throws AppError `unavailable` when the bus does not acknowledge within 5 s
   */
  publish(subject: string, payload: Uint8Array | string, options?: PublishOptions): Promise<void>;
  /** Handles the messages of a durable consumer until stopped; see {@link ConsumeOptions}. */
  consume(options: ConsumeOptions): Consumption;
  /** Creates the streams of the platform, or brings their limits up to date. */
  ensureStreams(): Promise<void>;
  /** Whether there is a connection at this moment; for `/readyz`. */
  isConnected(): boolean;
  /** Waits for what was sent, then ends the connection. Stop consumers and relays first. */
  close(): Promise<void>;
}

/** Connects to JetStream; afterwards it reconnects for ever. @throws when no server answers within 5 s */
export async function connectBus({ servers, name, logger, replicas }: BusOptions): Promise<Bus> {
  const connection = await connect(connectionOptions(servers, name));
  const state = { connected: true };
  void watch(connection, state, logger);
  const manager = await jetstreamManager(connection, { checkAPI: false });
  const client = jetstream(connection);
  const publish = createPublisher(client);
  return {
    publish,
    consume: (options) => startConsumption({ ...options, connection, manager, client, publish, logger }),
    ensureStreams: () => ensureStreams(manager, replicas),
    isConnected: () => state.connected,
    close: () => connection.drain(),
  };
}

function connectionOptions(servers: string, name: string): NodeConnectionOptions {
  const addresses = servers.split(',').map((address) => address.trim());
  const { username, password } = new URL(addresses[0]?.includes('://') ? addresses[0] : `nats://${addresses[0]}`);
  return {
    servers: addresses.map((address) => address.replace(/\/\/[^@/]*@/, '//')),
    name,
    ...(username && { user: decodeURIComponent(username), pass: decodeURIComponent(password) }),
    timeout: 5_000,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    reconnectJitter: 250,
    pingInterval: 20_000,
    // Two errors with their stacks for each message, made before anything fails, cost more than publishing it.
    noAsyncTraces: true,
  };
}

async function watch(connection: NatsConnection, state: { connected: boolean }, logger: Logger): Promise<void> {
  for await (const status of connection.status()) {
    if (status.type === 'disconnect') {
      state.connected = false;
      logger.warn({ server: status.server }, 'NATS is away');
    } else if (status.type === 'reconnect') {
      state.connected = true;
      logger.info({ server: status.server }, 'NATS is back');
    } else if (status.type === 'error') {
      logger.warn({ err: status.error }, 'NATS reports an error');
    }
  }
  // The iterator ends with the connection.
  state.connected = false;
}
