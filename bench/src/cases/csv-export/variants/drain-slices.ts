import { readSlices } from '@stechuhr/mongo';
import type { Run } from '../../../harness/types.js';
import { platformValues } from '../../../platform/measured-download.js';
import { MONTH_PROJECTION, monthIdSlices, withDatabase, type MonthDocument } from '../../../platform/stored-months.js';
import type { YearExportValues } from '../../../platform/year-export.js';

/** Reads the documents like libs/mongo: in slices of ids, requesting the next slice while the current one is decoded. */
export const run: Run = ({ values }) => {
  const { stored } = platformValues<YearExportValues>(values);
  return withDatabase(stored.mongodbUrl, 'records', async ({ connection }) => {
    const startedAt = performance.now();
    let workdays = 0;
    const slices = readSlices<MonthDocument>(connection.collection('workmonths'), monthIdSlices(stored), { projection: MONTH_PROJECTION });
    for await (const slice of slices) for (const month of slice) workdays += month.workdays.length;
    return { values: { wallMs: performance.now() - startedAt, workdays } };
  });
};
