import type { Run } from '../../../harness/types.js';
import { platformValues } from '../../../platform/measured-download.js';
import { withDatabase } from '../../../platform/stored-months.js';
import type { ReportListValues } from '../values.js';

/** The floor: reads the entries of each page with a native cursor and discards them. */
export const run: Run = ({ values }) => {
  const { mongodbUrl, pages } = platformValues<ReportListValues>(values);
  return withDatabase(mongodbUrl, 'daily_reports', async ({ connection }) => {
    const entries = connection.collection('entries');
    // This opens the connection before the measurement, because the service has an open one too.
    await entries.findOne({ report: pages[0]?.reports[0] });
    const startedAt = performance.now();
    let documents = 0;
    for (const { reports } of pages) {
      for await (const _ of entries.find({ report: { $in: [...reports] } }, { projection: { outbox: 0 } })) documents += 1;
    }
    return { values: { wallMs: performance.now() - startedAt, documents } };
  });
};
