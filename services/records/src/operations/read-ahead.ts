/**
 * Reads one item after the other and always the next one ahead, so that two are in memory at most. A reader that stops costs the one that
 * is being read.
 */
export async function* readAhead<T, R>(items: Iterable<T>, read: (item: T) => Promise<R>): AsyncGenerator<R> {
  const remaining = items[Symbol.iterator]();
  const start = () => {
    const { value, done } = remaining.next();
    if (done === true) return undefined;
    const reading = read(value);
    // It may fail before it is awaited; the failure is thrown where it is.
    reading.catch(() => undefined);
    return reading;
  };
  for (let current = start(); current !== undefined;) {
    const result = await current;
    current = start();
    yield result;
  }
}
