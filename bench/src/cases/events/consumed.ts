import { createHash } from 'node:crypto';
import type { Outcome, RunInput } from '../../harness/types.js';

/** Counts received events. `all` resolves when the last one has arrived. */
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

  /** Records a received event. */
  add(event: unknown): void {
    this.ids.push((event as { readonly subject: string }).subject);
    if (this.ids.length < this.input.size) return;
    this.ms = performance.now() - this.startedAt;
    this.finish();
  }

  /**
   * Returns the rate and a digest. Ids differ between runs, so the digest covers only the number of received events and the number of
   * distinct ones.
   */
  outcome(): Outcome {
    const values = { wallMs: this.ms, eventsPerSecond: (this.input.size * 1000) / this.ms };
    const digest = createHash('md5')
      .update(`${this.ids.length} ${new Set(this.ids).size}`)
      .digest('hex');
    return this.input.checking ? { digest, values } : { values };
  }
}
