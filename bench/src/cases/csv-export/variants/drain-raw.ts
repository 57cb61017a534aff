import type { Run } from '../../../harness/types.js';
import { platformValues } from '../../../platform/measured-download.js';
import { MONTH_PROJECTION, monthIdSlices, withDatabase, type MonthDocument } from '../../../platform/stored-months.js';
import type { YearExportValues } from '../../../platform/year-export.js';

/** Reads the documents as raw bytes, slice by slice without prefetching: the cost of the database and the connection alone. */
export const run: Run = ({ values }) => {
  const { stored } = platformValues<YearExportValues>(values);
  return withDatabase(stored.mongodbUrl, 'records', async ({ connection }) => {
    const months = connection.collection<MonthDocument>('workmonths');
    const startedAt = performance.now();
    let count = 0;
    for (const ids of monthIdSlices(stored)) {
      const options = { raw: true, projection: MONTH_PROJECTION, batchSize: ids.length + 1 };
      count += (await months.find({ _id: { $in: [...ids] } }, options).toArray()).length;
    }
    return { values: { wallMs: performance.now() - startedAt, months: count } };
  });
};
