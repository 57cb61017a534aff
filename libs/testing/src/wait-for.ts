import { setTimeout as delay } from 'node:timers/promises';
import { machineTimeout } from '@stechuhr/local-infra';

const POLL_MS = 20;

/**
 * Waits until a condition holds: it is asked every 20 ms until it gives something other than `undefined`, `null` or `false`, for two minutes
 * at most, and for longer the busier the machine is: only a test that fails waits for so long.
 *
 * @param condition may throw; that counts as not yet, and the last error is shown when time is up
 * @returns what the condition gave
 */
export async function waitFor<T>(
  condition: () => Promise<T | undefined | null | false> | T | undefined | null | false,
  { timeoutMs = 120_000 }: { readonly timeoutMs?: number } = {},
): Promise<T> {
  const limit = new AbortController();
  const forget = machineTimeout(() => limit.abort(), timeoutMs);
  let last: unknown;
  try {
    while (!limit.signal.aborted) {
      try {
        const result = await condition();
        if (result !== undefined && result !== null && result !== false) return result;
        last = undefined;
      } catch (caught) {
        last = caught;
      }
      await delay(POLL_MS);
    }
  } finally {
    forget();
  }
  throw new Error(`The condition did not come true within ${timeoutMs} ms: ${condition.toString()}`, { cause: last });
}
