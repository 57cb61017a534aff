import type { JsMsg } from '@nats-io/jetstream';

/** The maximum number of unacknowledged messages of a consumer. */
const MOST = 100_000;

/**
 * Counts how often this process has failed to handle each message. The server counts deliveries, including those that ended with a process, were
 * returned, or met an outage; by that count, a message could be given up after its first real failure.
 */
export class Failures {
  /** Ordered by their last failure. */
  private readonly counts = new Map<string, number>();

  /** @returns the number of failures so far */
  add(message: JsMsg): number {
    const key = keyOf(message);
    const count = (this.counts.get(key) ?? 0) + 1;
    this.counts.delete(key);
    this.counts.set(key, count);
    const [oldest] = this.counts.size > MOST ? this.counts.keys() : [];
    if (oldest !== undefined) this.counts.delete(oldest);
    return count;
  }

  of(message: JsMsg): number {
    return this.counts.get(keyOf(message)) ?? 0;
  }

  /** Removes a message that was handled or given up. */
  forget(message: JsMsg): void {
    if (this.counts.size > 0) this.counts.delete(keyOf(message));
  }
}

/** Includes the storage time, since a stream that was created again reuses positions. */
function keyOf({ seq, info }: JsMsg): string {
  return `${String(seq)} ${String(info.timestampNanos)}`;
}
