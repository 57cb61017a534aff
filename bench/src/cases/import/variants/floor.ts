import type { mongo } from 'mongoose';
import type { Run } from '../../../harness/types.js';
import { platformValues } from '../../../platform/measured-download.js';
import { createSameIndexes } from '../../../platform/same-indexes.js';
import { monthIdSlices, withDatabase, type MonthDocument, type StoredMonths } from '../../../platform/stored-months.js';

type Stored = { readonly mongodbUrl: string; readonly stored: StoredMonths };

/** The duration of writing months, and the number of documents and workdays. */
interface Written {
  readonly wallMs: number;
  readonly documents: number;
  readonly workdays: number;
}

const BATCH_SIZE = 100;

/** The floor: only the driver writes the documents of the same months to an empty collection with the same indexes. */
export const run: Run = async ({ values }) => {
  const { wallMs, documents } = await writtenMonths(platformValues<Stored>(values));
  return { values: { wallMs, units: documents } };
};

/** Copies stored months into an empty collection, and measures only the writes. */
export function writtenMonths({ mongodbUrl, stored }: Stored): Promise<Written> {
  return withDatabase(mongodbUrl, 'records', ({ connection: { db: source } }) =>
    withDatabase(mongodbUrl, 'bench', async ({ connection: { db: target } }) => {
      if (source === undefined || target === undefined) throw new Error('There is no connection.');
      await target.dropDatabase();
      await createSameIndexes(source.collection('workmonths'), target.collection('workmonths'));
      const from = source.collection<MonthDocument>('workmonths');
      const to = target.collection<MonthDocument>('workmonths');
      const written = { wallMs: 0, documents: 0, workdays: 0 };
      for (const ids of monthIdSlices(stored)) {
        const months = await from.find({ _id: { $in: [...ids] } }).toArray();
        written.wallMs += await msToInsert(to, months);
        written.documents += months.length;
        for (const { workdays } of months) written.workdays += workdays.length;
      }
      await target.dropDatabase();
      return written;
    }),
  );
}

async function msToInsert(collection: mongo.Collection<MonthDocument>, months: readonly MonthDocument[]): Promise<number> {
  const startedAt = performance.now();
  for (let at = 0; at < months.length; at += BATCH_SIZE) {
    const writes = months.slice(at, at + BATCH_SIZE).map((document) => ({ insertOne: { document } }));
    await collection.bulkWrite(writes, { ordered: false });
  }
  return performance.now() - startedAt;
}
