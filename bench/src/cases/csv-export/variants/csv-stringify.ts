import { createHash } from 'node:crypto';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { stringify } from 'csv-stringify';
import type { Run } from '../../../harness/types.js';
import { dailyRows } from '../../../platform/daily-rows.js';
import { platformValues } from '../../../platform/measured-download.js';
import { withDatabase } from '../../../platform/stored-months.js';
import { COLUMNS, type YearExportValues } from '../../../platform/year-export.js';

/** A single process that reads and computes like the platform, but writes the rows with csv-stringify. */
export const run: Run = ({ values, checking }) => {
  const own = platformValues<YearExportValues>(values);
  return withDatabase(own.stored.mongodbUrl, 'records', async (database) => {
    const startedAt = performance.now();
    const hash = createHash('sha256');
    const sink = new Writable({
      write(chunk: Buffer, _encoding, done) {
        if (checking) hash.update(chunk);
        done();
      },
    });
    const csv = stringify({ header: true, columns: [...COLUMNS], record_delimiter: '\r\n' });
    await pipeline(Readable.from(dailyRows(database, own)), csv, sink);
    return { values: { wallMs: performance.now() - startedAt }, ...(checking ? { digest: hash.digest('hex') } : {}) };
  });
};
