/**
 * Reads items one after the other, and always the next one ahead, so that at most two are in memory. If the reader stops, only the item that is being
 * read was read in vain.
 */
export async function* readAhead<T, R>(items: Iterable<T>, read: (item: T) => Promise<R>): AsyncGenerator<R> {
  const remaining = items[Symbol.iterator]();
  const start = () => {
    const { value, done } = remaining.next();
    if (done === true) return undefined;
    const reading = read(value);
    // It may fail before it is awaited; the error is thrown when it is.
    reading.catch(() => undefined);
    return reading;
  };
  for (let current = start(); current !== undefined;) {
    const result = await current;
    current = start();
    yield result;
  }
}
