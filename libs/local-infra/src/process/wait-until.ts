import { setTimeout as sleep } from 'node:timers/promises';

/** How long to try, and what ends the trying early. */
export interface WaitOptions {
  readonly timeoutMs: number;
  readonly intervalMs?: number;
  /** Rejects as soon as waiting has become pointless. */
  readonly unless?: Promise<never>;
}

/** Repeats an attempt until it resolves; rejects with its last error after `timeoutMs`. */
export async function waitUntil<T>(attempt: () => Promise<T>, options: WaitOptions): Promise<T> {
  const deadline = performance.now() + options.timeoutMs;
  const pointless = options.unless ?? new Promise<never>(() => {});
  for (;;) {
    try {
      return await Promise.race([attempt(), pointless]);
    } catch (error) {
      await Promise.race([sleep(0), pointless]);
      if (performance.now() >= deadline) throw error;
    }
    await Promise.race([sleep(options.intervalMs ?? 25), pointless]);
  }
}
