import type { Run } from '../../../harness/types.js';
import { platformValues } from '../../../platform/measured-download.js';
import { MONTH_PROJECTION, monthIdSlices, withDatabase, type MonthDocument } from '../../../platform/stored-months.js';
import type { CsvExportValues } from '../values.js';

/** The floor: a native cursor over the same documents, to nothing. */
export const run: Run = ({ values }) => {
  const { stored } = platformValues<CsvExportValues>(values);
  return withDatabase(stored.mongodbUrl, 'records', async ({ connection }) => {
    const months = connection.collection<MonthDocument>('workmonths');
    const startedAt = performance.now();
    let workdays = 0;
    for await (const month of months.find({ _id: { $in: [...monthIdSlices(stored)].flat() } }, { projection: MONTH_PROJECTION })) {
      workdays += month.workdays.length;
    }
    return { values: { wallMs: performance.now() - startedAt, workdays } };
  });
};
