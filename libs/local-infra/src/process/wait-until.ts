import { setTimeout as sleep } from 'node:timers/promises';
import { machineTimeout } from './machine-timeout.js';

/** How long to try, and what stops the attempts early. */
export interface WaitOptions {
  /** Extended on a busy machine. */
  readonly timeoutMs: number;
  readonly intervalMs?: number;
  /** Rejects as soon as further attempts are pointless. */
  readonly unless?: Promise<never>;
}

/** Repeats an attempt until it succeeds; rejects with its last error after `timeoutMs`. */
export async function waitUntil<T>(attempt: () => Promise<T>, options: WaitOptions): Promise<T> {
  const limit = new AbortController();
  const forget = machineTimeout(() => limit.abort(), options.timeoutMs);
  const pointless = options.unless ?? new Promise<never>(() => {});
  try {
    for (;;) {
      try {
        return await Promise.race([attempt(), pointless]);
      } catch (error) {
        await Promise.race([sleep(0), pointless]);
        if (limit.signal.aborted) throw error;
      }
      await Promise.race([sleep(options.intervalMs ?? 25), pointless]);
    }
  } finally {
    forget();
  }
}
