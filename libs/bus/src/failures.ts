import type { JsMsg } from '@nats-io/jetstream';

/** The maximum number of unacknowledged messages of a consumer. */
const MOST = 100_000;

/** What this process knows about a message that it has returned. */
interface Returned {
  readonly failures: number;
  /** The delivery after which it was returned. */
  readonly delivery: number;
}

/**
 * Counts how often this process has failed to handle each message. The server counts deliveries, including those that ended with a process, were
 * returned, or met an outage; by that count, a message could be given up after its first real failure.
 */
export class Failures {
  /** Ordered by when they were returned. */
  private readonly known = new Map<string, Returned>();

  /** @returns the number of failures so far */
  add(message: JsMsg): number {
    return this.note(message, this.of(message) + 1);
  }

  of(message: JsMsg): number {
    return this.known.get(keyOf(message))?.failures ?? 0;
  }

  /** Notes that a message is returned to the server without a failure of its own. */
  addReturned(message: JsMsg): void {
    this.note(message, this.of(message));
  }

  /** Whether the previous delivery of a message was to this process, which returned it. */
  hasReturned(message: JsMsg): boolean {
    return this.known.get(keyOf(message))?.delivery === message.info.deliveryCount - 1;
  }

  /** Removes a message that was handled or given up. */
  forget(message: JsMsg): void {
    if (this.known.size > 0) this.known.delete(keyOf(message));
  }

  private note(message: JsMsg, failures: number): number {
    const key = keyOf(message);
    this.known.delete(key);
    this.known.set(key, { failures, delivery: message.info.deliveryCount });
    const [oldest] = this.known.size > MOST ? this.known.keys() : [];
    if (oldest !== undefined) this.known.delete(oldest);
    return failures;
  }
}

/** Includes the storage time, since a stream that was created again reuses positions. */
function keyOf({ seq, info }: JsMsg): string {
  return `${String(seq)} ${String(info.timestampNanos)}`;
}
