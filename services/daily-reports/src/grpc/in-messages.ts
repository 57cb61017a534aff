/** Signatures and texts make messages large; each is at most 200 kB, and a message may have 8 MiB. */
const ITEMS_A_MESSAGE = 20;

/** A page as messages, at least one. */
export function* inMessages<T>(results: readonly T[]): Generator<readonly T[], void, undefined> {
  yield results.slice(0, ITEMS_A_MESSAGE);
  for (let at = ITEMS_A_MESSAGE; at < results.length; at += ITEMS_A_MESSAGE) yield results.slice(at, at + ITEMS_A_MESSAGE);
}
