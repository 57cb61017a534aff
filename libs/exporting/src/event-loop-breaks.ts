import { setImmediate } from 'node:timers/promises';

/** How long a loop may run before it lets the event loop handle other work. */
const MAX_RUN_MS = 10;

/** Pauses in a long loop: if all of its input is available, it would never let the event loop handle other requests. */
export class EventLoopBreaks {
  #dueAt = performance.now() + MAX_RUN_MS;

  /** Whether to {@link take} a break; checked after each step of the loop. */
  get isDue(): boolean {
    return performance.now() >= this.#dueAt;
  }

  /** Lets the event loop handle other work. */
  async take(): Promise<void> {
    await setImmediate();
    this.#dueAt = performance.now() + MAX_RUN_MS;
  }
}
