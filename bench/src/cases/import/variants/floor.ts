import type { Run } from '../../../harness/types.js';
import { platformValues } from '../../../platform/measured-download.js';
import { monthIdSlices, withDatabase, type StoredMonths } from '../../../platform/stored-months.js';

type Stored = { readonly mongodbUrl: string; readonly stored: StoredMonths };

const AT_A_TIME = 100;

/** The least that storing the same months takes: the driver writes their documents into an empty collection with the same indexes. */
export const run: Run = ({ values }) => {
  const { mongodbUrl, stored } = platformValues<Stored>(values);
  return withDatabase(mongodbUrl, 'records', ({ connection: { db: source } }) =>
    withDatabase(mongodbUrl, 'bench', async ({ connection: { db: target } }) => {
      if (source === undefined || target === undefined) throw new Error('There is no connection.');
      await target.dropDatabase();
      const from = source.collection<{ readonly _id: string }>('workmonths');
      const to = target.collection<{ readonly _id: string }>('workmonths');
      for (const { key, sparse } of (await from.indexes()).filter(({ name }) => name !== '_id_')) {
        await to.createIndex(key, { ...(sparse === true && { sparse }) });
      }
      let wallMs = 0;
      let documents = 0;
      for (const ids of monthIdSlices(stored)) {
        const months = await from.find({ _id: { $in: [...ids] } }).toArray();
        const startedAt = performance.now();
        for (let at = 0; at < months.length; at += AT_A_TIME) {
          const writes = months.slice(at, at + AT_A_TIME).map((document) => ({ insertOne: { document } }));
          await to.bulkWrite(writes, { ordered: false });
        }
        wallMs += performance.now() - startedAt;
        documents += months.length;
      }
      await target.dropDatabase();
      return { values: { wallMs, units: documents } };
    }),
  );
};
