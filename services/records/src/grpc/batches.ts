import { browseV1 } from '@stechuhr/contracts';

const BATCH = 200;

/** Far below the size limit of a message, however large the next record is. */
const BATCH_BYTES = 1_048_576;

/** Packs items into messages, since one message per item costs seven times as much. */
export async function* inBatches<T>(items: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Packs records of any size into messages. */
export function* inBatchesBySize(records: readonly browseV1.BrowsedRecord[]): Generator<browseV1.BrowsedRecord[]> {
  let batch: browseV1.BrowsedRecord[] = [];
  let size = 0;
  for (const record of records) {
    batch.push(record);
    size += browseV1.BrowsedRecord.encode(record).finish().length;
    if (size < BATCH_BYTES) continue;
    yield batch;
    batch = [];
    size = 0;
  }
  if (batch.length > 0) yield batch;
}
