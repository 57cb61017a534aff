import { Redis, type RedisOptions } from 'ioredis';

/** How long to wait before a connection is tried that ioredis gave up, in milliseconds. */
const PAUSE_MS = 100;

/**
 * A client that never gives up the master of its sentinels. ioredis (6.0) does, and for good, if a failover is announced while it asks a
 * sentinel for the master, as it does after the old master has closed the connection: the announcement cancels this attempt to connect,
 * and a cancelled attempt is not followed by another one.
 */
export class SentinelClient extends Redis {
  #isClosed = false;

  constructor(options: RedisOptions & { readonly replyMapping?: 'legacy' }) {
    super(options);
    this.on('end', () => {
      if (!this.#isClosed) setTimeout(() => this.#connectAgain(), PAUSE_MS).unref();
    });
  }

  override disconnect(reconnect = false): void {
    if (!reconnect) this.#isClosed = true;
    super.disconnect(reconnect);
  }

  #connectAgain(): void {
    if (this.#isClosed || this.status !== 'end') return;
    // Its failure is an event, which leads here again.
    this.connect().catch(() => undefined);
  }
}
