import type { Logger } from './logger.js';

/** How {@link startPeriodic} runs its work. */
export interface PeriodicOptions {
  /** From the beginning of a run to that of the next; one that takes longer is not overtaken. */
  readonly intervalMs: number;
  readonly logger: Pick<Logger, 'warn'>;
  /** What is logged when a run fails, such as `maintenance failed`. */
  readonly failure: string;
  /** Logged with it. */
  readonly fields?: object;
  /** Whether the first run begins at once instead of after the first interval. */
  readonly atOnce?: boolean;
}

/** Work that is done again and again, one run at a time. */
export interface Periodic {
  /**
   * Has the work done without waiting for the interval. Whoever asks while a run is under way shares the one after it, because the present
   * one may have looked too early.
   *
   * @returns when a run has ended that began after the call; never rejects
   */
  now(): Promise<void>;
  /** Begins no more runs, aborts the signal of the present one, and waits for its end. */
  stop(): Promise<void>;
}

/**
 * Does something from time to time until it is stopped. A run that fails is logged, and the next one comes as usual. The timer alone does
 * not keep the process alive.
 *
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
