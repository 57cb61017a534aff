/**
 * Reads items one after the other and always starts the next read in advance, so that at most two results are in memory. If the consumer
 * stops, only the read in progress is wasted.
 */
export async function* readAhead<T, R>(items: Iterable<T>, read: (item: T) => Promise<R>): AsyncGenerator<R> {
  const remaining = items[Symbol.iterator]();
  const start = () => {
    const { value, done } = remaining.next();
    if (done === true) return undefined;
    const reading = read(value);
    // Prevents an unhandled rejection if it fails before it is awaited; awaiting it still throws.
    reading.catch(() => undefined);
    return reading;
  };
  for (let current = start(); current !== undefined;) {
    const result = await current;
    current = start();
    yield result;
  }
}
