/**
 * Yields results in the order of the items, processing up to `ahead` items concurrently. If the loop is left, running work continues, but
 * its results are dropped.
 */
export async function* inOrder<Item, Result>(
  items: Iterable<Item>,
  ahead: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result, void, undefined> {
  const running: Promise<Result>[] = [];
  const waiting = items[Symbol.iterator]();
  const start = (): void => {
    const next = waiting.next();
    if (next.done === true) return;
    const result = work(next.value);
    // The result is awaited later; this avoids an unhandled rejection until then.
    result.catch(() => undefined);
    running.push(result);
  };
  for (let index = 0; index < ahead; index++) start();
  for (let result = running.shift(); result !== undefined; result = running.shift()) {
    yield await result;
    start();
  }
}
