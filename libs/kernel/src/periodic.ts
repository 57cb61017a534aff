import type { Logger } from './logger.js';

/** How {@link startPeriodic} runs its work. */
export interface PeriodicOptions {
  /** From the start of one run to the start of the next; runs never overlap. */
  readonly intervalMs: number;
  readonly logger: Pick<Logger, 'warn'>;
  /** The message that is logged when a run fails, such as `maintenance failed`. */
  readonly failure: string;
  /** Logged with it. */
  readonly fields?: object;
  /** Whether the first run starts at once instead of after the first interval. */
  readonly atOnce?: boolean;
}

/** Work that is repeated, one run at a time. */
export interface Periodic {
  /**
   * Starts a run without waiting for the interval. Calls during a run share the next run, because the current one may have missed what they are
   * about.
   * @returns resolves when a run has ended that started after the call; never rejects
   */
  now(): Promise<void>;
  /** Starts no more runs, aborts the signal of the current one, and waits for its end. */
  stop(): Promise<void>;
}

/**
 * Repeats some work until it is stopped. A failed run is logged, and the next one starts as usual. The timer alone does not keep the process alive.
 * @param work one run; its signal aborts when the loop is stopped
 */
export function startPeriodic(work: (signal: AbortSignal) => Promise<void>, options: PeriodicOptions): Periodic {
  const stopping = new AbortController();
  const { signal } = stopping;
  let current: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const run = async () => {
    try {
      if (!signal.aborted) await work(signal);
    } catch (caught) {
      options.logger.warn({ err: caught, ...options.fields }, options.failure);
    }
  };
  const now = (): Promise<void> => {
    if (current === undefined) {
      current = run().finally(() => (current = undefined));
      return current;
    }
    next ??= current.then(() => {
      next = undefined;
      return now();
    });
    return next;
  };
  const timer = setInterval(() => current ?? void now(), options.intervalMs).unref();
  if (options.atOnce === true) void now();
  return {
    now,
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await current;
    },
  };
}
