/**
 * Results in the order of the items, `ahead` of them being worked on at once. Leaving the loop lets those that run end unheard.
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
    // It is looked at when its turn comes; until then a failure is not an unhandled one.
    result.catch(() => undefined);
    running.push(result);
  };
  for (let index = 0; index < ahead; index++) start();
  for (let result = running.shift(); result !== undefined; result = running.shift()) {
    yield await result;
    start();
  }
}
