import type { Logger } from './logger.js';

/** The options of {@link startPeriodic}. */
export interface PeriodicOptions {
  /** Time between the starts of two runs, in milliseconds; runs never overlap. */
  readonly intervalMs: number;
  readonly logger: Pick<Logger, 'warn'>;
  /** The message that is logged when a run fails, such as `maintenance failed`. */
  readonly failure: string;
  /** Fields that are logged with the message. */
  readonly fields?: object;
  /** Whether the first run begins immediately instead of after the first interval. */
  readonly atOnce?: boolean;
}

/** Periodic work, one run at a time. */
export interface Periodic {
  /**
   * Starts a run without waiting for the interval. Callers during a run share the next run, because the current one may have read its data
   * too early.
   *
   * @returns resolves when a run that began after the call has ended; never rejects
   */
  now(): Promise<void>;
  /** Prevents further runs, aborts the signal of the current one, and waits for its end. */
  stop(): Promise<void>;
}

/**
 * Runs work periodically until it is stopped. Failed runs are logged; the next run follows as usual. The timer does not keep the process
 * alive.
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
