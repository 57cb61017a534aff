import { waitUntil } from '@stechuhr/local-infra';

const POLL_MS = 20;

/** A condition that has not come true yet, without an error of its own. */
class NotYet extends Error {}

/**
 * Waits until a condition holds: it is evaluated every 20 ms, later every 100 ms, until it returns something other than `undefined`, `null` or
 * `false`. The
 * limit is two minutes, and longer on a busy machine; only failing tests wait that long.
 *
 * @param condition may throw, which counts as not yet fulfilled; the last error is reported after the limit
 * @returns the result of the condition
 */
export async function waitFor<T>(
  condition: () => Promise<T | undefined | null | false> | T | undefined | null | false,
  { timeoutMs = 120_000 }: { readonly timeoutMs?: number } = {},
): Promise<T> {
  const attempt = async (): Promise<T> => {
    const result = await condition();
    if (result === undefined || result === null || result === false) throw new NotYet();
    return result;
  };
  try {
    return await waitUntil(attempt, { timeoutMs, intervalMs: POLL_MS });
  } catch (caught) {
    const cause = caught instanceof NotYet ? undefined : caught;
    throw new Error(`The condition did not come true within ${timeoutMs} ms: ${condition.toString()}`, { cause });
  }
}
