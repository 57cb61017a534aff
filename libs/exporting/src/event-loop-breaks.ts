import { setImmediate } from 'node:timers/promises';

/** How long a loop may run before it lets the event loop serve others. */
const MAX_RUN_MS = 10;

/** Pauses in a long loop: one whose input is all available would never let the event loop serve other requests. */
export class EventLoopBreaks {
  #dueAt = performance.now() + MAX_RUN_MS;

  /** To be asked after each step of the loop: whether to {@link take} a break. */
  get isDue(): boolean {
    return performance.now() >= this.#dueAt;
  }

  /** Lets the event loop serve others. */
  async take(): Promise<void> {
    await setImmediate();
    this.#dueAt = performance.now() + MAX_RUN_MS;
  }
}
