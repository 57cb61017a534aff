import type { JsMsg } from '@nats-io/jetstream';

/** As many as a consumer may have under way. */
const MOST = 100_000;

/**
 * How often a process has failed to handle each message. A server counts deliveries, and among them those that ended with a process, were given
 * back, or met an outage: a message that then fails for the first time would be given up without another attempt.
 */
export class Failures {
  /** In the order in which they failed last. */
  private readonly counts = new Map<string, number>();

  /** @returns how often it has failed by now */
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

  /** It was handled, or given up. */
  forget(message: JsMsg): void {
    if (this.counts.size > 0) this.counts.delete(keyOf(message));
  }
}

/** A stream that was created again gives places a second time. */
function keyOf({ seq, info }: JsMsg): string {
  return `${String(seq)} ${String(info.timestampNanos)}`;
}
