import { createHash } from 'node:crypto';
import type { Run } from '../../../harness/types.js';
import { dailyRows } from '../../../platform/daily-rows.js';
import { platformValues } from '../../../platform/measured-download.js';
import { withDatabase } from '../../../platform/stored-months.js';
import { COLUMNS, type YearExportValues } from '../../../platform/year-export.js';

const CHUNK_LENGTH = 64 * 1024;

/**
 * A single process that reads and computes like the platform, and serialises each row with JSON.stringify; output is buffered in chunks.
 */
export const run: Run = ({ values, checking }) => {
  const own = platformValues<YearExportValues>(values);
  return withDatabase(own.stored.mongodbUrl, 'records', async (database) => {
    const startedAt = performance.now();
    const hash = createHash('sha256');
    let chunk = '[';
    let bytes = 0;
    const flush = (): void => {
      const encoded = Buffer.from(chunk);
      bytes += encoded.length;
      if (checking) hash.update(encoded);
      chunk = '';
    };
    let separator = '';
    for await (const row of dailyRows(database, own)) {
      chunk +=
        separator + JSON.stringify(Object.fromEntries(COLUMNS.map((column, index) => [column, row[index] === '' ? null : row[index]])));
      separator = ',';
      if (chunk.length > CHUNK_LENGTH) flush();
    }
    chunk += ']';
    flush();
    const measures = { wallMs: performance.now() - startedAt, fileMb: bytes / 2 ** 20 };
    return { values: measures, ...(checking ? { digest: hash.digest('hex') } : {}) };
  });
};
