const BATCH = 200;
/** Far below the maximum size of a message, however large the next item is. */
const BATCH_BYTES = 1024 * 1024;

/**
 * Packs items into messages, since one message per item costs seven times as much.
 *
 * @param bytesOf returns about how many bytes an item has, for items of which a batch may be too large for a message
 */
export async function* inBatches<T>(items: AsyncIterable<T> | Iterable<T>, bytesOf: (item: T) => number = () => 0): AsyncGenerator<T[]> {
  let batch: T[] = [];
  let bytes = 0;
  for await (const item of items) {
    batch.push(item);
    bytes += bytesOf(item);
    if (batch.length < BATCH && bytes < BATCH_BYTES) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}
