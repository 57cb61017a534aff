import { setTimeout as delay } from 'node:timers/promises';

/** Half of the time for which Prometheus waits for a scrape. */
const LIMIT_MS = 5_000;

/**
 * Bounds a read whose result is observed whenever metrics are read. A server that is slow, or hangs, must not delay all other metrics, or the
 * whole process looks unreachable; and reads that overlap would take the connections of the work itself. A read that fails must not reject
 * either: the SDK prints the whole error, with the commands and documents that drivers attach.
 *
 * @returns a function that resolves with `undefined` if the read fails, or does not end within the limit; then the next call waits for the
 * same read
 */
export function boundedRead<T>(read: () => Promise<T>, limitMs = LIMIT_MS): () => Promise<T | undefined> {
  let reading: Promise<T | undefined> | undefined;
  return () => {
    reading ??= read()
      .catch(() => undefined)
      .finally(() => (reading = undefined));
    return Promise.race([reading, delay(limitMs, undefined, { ref: false })]);
  };
}
