import { createHash } from 'node:crypto';
import type { Outcome, RunInput } from '../../harness/types.js';

/** Counts what arrives; `all` resolves with the last one. */
export class Consumed {
  readonly all: Promise<void>;
  private readonly ids: string[] = [];
  private readonly startedAt = performance.now();
  private ms = 0;
  private readonly finish: () => void;

  constructor(private readonly input: RunInput) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.all = promise;
    this.finish = resolve;
  }

  /** Takes the event of a message. */
  add(event: unknown): void {
    this.ids.push((event as { readonly subject: string }).subject);
    if (this.ids.length < this.input.size) return;
    this.ms = performance.now() - this.startedAt;
    this.finish();
  }

  /** The rate, and the digest of all events that came: those of another run have other ids, so only their number and that none came twice. */
  outcome(): Outcome {
    const values = { wallMs: this.ms, eventsPerSecond: (this.input.size * 1000) / this.ms };
    const digest = createHash('md5')
      .update(`${this.ids.length} ${new Set(this.ids).size}`)
      .digest('hex');
    return this.input.checking ? { digest, values } : { values };
  }
}
