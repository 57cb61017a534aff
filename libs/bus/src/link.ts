import { setTimeout as delay } from 'node:timers/promises';
import { jetstream, jetstreamManager, type JetStreamClient, type JetStreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import type { Logger } from '@stechuhr/kernel';
import { acknowledgedPublisher, type PublishAcknowledged } from './acknowledged-publisher.js';
import type { LinkOptions } from './address.js';

/** The two sides of JetStream on one connection. */
export interface Link {
  readonly connection: NatsConnection;
  readonly client: JetStreamClient;
  readonly manager: JetStreamManager;
  readonly publish: PublishAcknowledged;
  /**
   * Calls back after each reconnection, since the server may have another store by then.
   * @returns stops it
   */
  onReturn(listener: () => void): () => void;
}

/** A link that may not be established yet. */
export interface PendingLink {
  /** Resolves with the first connection; never rejects, and stays pending if the link is closed before. */
  readonly established: Promise<Link>;
  /** `undefined` before the first connection. */
  current(): Link | undefined;
  isConnected(): boolean;
  /** Why there is no connection yet. */
  failure(): Error | undefined;
  close(): Promise<void>;
}

const RETRY_MS = 500;
/** How long a server may take to confirm that it has received everything, such as acknowledgements. */
const LAST_FLUSH_MS = 5_000;

/**
 * Connects; if no server answers, keeps trying in the background. After the first connection, the client reconnects by itself, and `onReconnect` is
 * called each time, since the server may have lost its store.
 */
export async function openLink(options: LinkOptions, logger: Logger, onReconnect?: () => void): Promise<PendingLink> {
  const closing = new AbortController();
  const state: { link?: Link; connected: boolean; failure?: Error } = { connected: false };
  const listeners = new Set<() => void>(onReconnect && [onReconnect]);
  const { promise: established, resolve } = Promise.withResolvers<Link>();
  const attempt = async () => {
    const connection = await connect(options).catch((caught: unknown) => {
      state.failure = explained(caught);
      throw state.failure;
    });
    const manager = await jetstreamManager(connection, { checkAPI: false, timeout: options.timeout });
    const publish = acknowledgedPublisher(connection, options.inboxPrefix);
    const link = { connection, client: jetstream(connection), manager, publish, onReturn: listenTo(listeners) };
    state.link = link;
    state.connected = true;
    void watch(connection, state, { logger, listeners });
    resolve(link);
  };
  const keepTrying = async () => {
    while (!closing.signal.aborted && state.link === undefined) {
      await delay(RETRY_MS, undefined, { signal: closing.signal })
        .then(attempt)
        .catch(() => undefined);
    }
    if (state.link !== undefined) logger.info({}, 'NATS is available');
  };
  let trying: Promise<void> | undefined;
  await attempt().catch((caught: unknown) => {
    logger.warn({ err: caught }, 'NATS is unavailable');
    trying = keepTrying();
  });
  return {
    established,
    current: () => state.link,
    isConnected: () => state.connected,
    failure: () => state.failure,
    async close() {
      closing.abort();
      await trying;
      if (state.link !== undefined) await closeConnection(state.link.connection, state.connected);
    },
  };
}

/** The client would wait forever for a server that does not answer, and throws if it notices that. */
async function closeConnection(connection: NatsConnection, isConnected: boolean): Promise<void> {
  if (isConnected && !connection.isClosed()) {
    const drained = connection.drain().catch(() => undefined);
    await Promise.race([drained, delay(LAST_FLUSH_MS, undefined, { ref: false })]);
  }
  await connection.close();
}

function listenTo(listeners: Set<() => void>): Link['onReturn'] {
  return (listener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
}

/** The client's message for a server without TLS does not say that the address requires it. */
function explained(caught: unknown): Error {
  const error = caught instanceof Error ? caught : new Error(String(caught));
  if (!error.message.includes("server does not support 'tls'")) return error;
  return new Error('The server offers no TLS, and its address begins with tls://.', { cause: error });
}

interface Watcher {
  readonly logger: Logger;
  readonly listeners: ReadonlySet<() => void>;
}

async function watch(connection: NatsConnection, state: { connected: boolean }, { logger, listeners }: Watcher): Promise<void> {
  // While the server refuses the client, each attempt to reconnect reports the same again, several times a second.
  let said: string | undefined;
  for await (const status of connection.status()) {
    if (status.type === 'disconnect') {
      if (state.connected) logger.warn({ server: status.server }, 'NATS is unavailable');
      state.connected = false;
    } else if (status.type === 'reconnect') {
      state.connected = true;
      said = undefined;
      logger.info({ server: status.server }, 'NATS is back');
      for (const listener of listeners) listener();
    } else if (status.type === 'error' && status.error.message !== said) {
      if (!state.connected) said = status.error.message;
      logger.warn({ err: status.error }, 'NATS reports an error');
    }
  }
  // The iterator ends with the connection.
  state.connected = false;
}
