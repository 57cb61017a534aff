import { setTimeout as sleep } from 'node:timers/promises';
import { machineTimeout } from './machine-timeout.js';

/** How long to try, and what stops the attempts early. */
export interface WaitOptions {
  /** Extended on a busy machine. */
  readonly timeoutMs: number;
  /** The first pause between two attempts, 25 ms by default. */
  readonly intervalMs?: number;
  /** Rejects as soon as further attempts are pointless. */
  readonly unless?: Promise<never>;
}

/** Pauses grow with the time that has passed, up to {@link LONGEST_PAUSE_MS}: attempts would otherwise slow down what they wait for. */
const PAUSE_SHARE = 0.05;
const LONGEST_PAUSE_MS = 100;

/** Repeats an attempt until it succeeds; rejects with its last error after `timeoutMs`. */
export async function waitUntil<T>(attempt: () => Promise<T>, options: WaitOptions): Promise<T> {
  const began = performance.now();
  const pauseMs = (): number => Math.max(options.intervalMs ?? 25, Math.min((performance.now() - began) * PAUSE_SHARE, LONGEST_PAUSE_MS));
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
      await Promise.race([sleep(pauseMs()), pointless]);
    }
  } finally {
    forget();
  }
}
