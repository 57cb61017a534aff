import type { Run } from '../../../harness/types.js';
import { platformValues } from '../../../platform/measured-download.js';
import { withDatabase } from '../../../platform/stored-months.js';
import type { ReportListValues } from '../values.js';

/** The floor: a native cursor over the entries of each page, to nothing. */
export const run: Run = ({ values }) => {
  const { mongodbUrl, pages } = platformValues<ReportListValues>(values);
  return withDatabase(mongodbUrl, 'daily_reports', async ({ connection }) => {
    const entries = connection.collection('entries');
    // The connection is there, as the service's is.
    await entries.findOne({ report: pages[0]?.reports[0] });
    const startedAt = performance.now();
    let documents = 0;
    for (const { reports } of pages) {
      for await (const _ of entries.find({ report: { $in: [...reports] } }, { projection: { outbox: 0 } })) documents += 1;
    }
    return { values: { wallMs: performance.now() - startedAt, documents } };
  });
};
