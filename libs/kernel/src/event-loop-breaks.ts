import { setImmediate } from 'node:timers/promises';

/** How long a loop may run before it yields to the event loop, in milliseconds. */
const MAX_RUN_MS = 10;

/** Breaks in a long loop. A loop whose input is completely available would otherwise never yield to other requests. */
export class EventLoopBreaks {
  readonly #signal: AbortSignal | undefined;
  #dueAt = performance.now() + MAX_RUN_MS;

  /** @param signal ends the loop, for example when its caller has left */
  constructor(signal?: AbortSignal) {
    this.#signal = signal;
  }

  /** Whether to {@link take} a break; check it after each step of the loop. */
  get isDue(): boolean {
    return performance.now() >= this.#dueAt;
  }

  /** Yields to the event loop. @throws the reason of the signal if it was aborted */
  async take(): Promise<void> {
    await setImmediate();
    this.#signal?.throwIfAborted();
    this.#dueAt = performance.now() + MAX_RUN_MS;
  }
}
