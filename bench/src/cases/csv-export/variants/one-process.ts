import { createHash } from 'node:crypto';
import type { Run } from '../../../harness/types.js';
import { dailyRows, type DailyRow } from '../../../platform/daily-rows.js';
import { platformValues } from '../../../platform/measured-download.js';
import { withDatabase } from '../../../platform/stored-months.js';
import { COLUMNS, type YearExportValues } from '../../../platform/year-export.js';

const CHUNK_LENGTH = 64 * 1024;

/** The reference for the services: a single process that reads and computes like them and writes the same file directly. */
export const run: Run = ({ values, checking }) => {
  const own = platformValues<YearExportValues>(values);
  return withDatabase(own.stored.mongodbUrl, 'records', async (database) => {
    const begun = process.cpuUsage();
    const startedAt = performance.now();
    const hash = createHash('sha256');
    let bytes = 0;
    const write = (text: string): void => {
      const chunk = Buffer.from(text);
      bytes += chunk.length;
      if (checking) hash.update(chunk);
    };
    let chunk = lineOf(COLUMNS);
    for await (const row of dailyRows(database, own)) {
      chunk += lineOf(row);
      if (chunk.length < CHUNK_LENGTH) continue;
      write(chunk);
      chunk = '';
    }
    write(chunk);
    const { user, system } = process.cpuUsage(begun);
    const measured = { wallMs: performance.now() - startedAt, servicesCpuMs: (user + system) / 1_000, fileMb: bytes / 2 ** 20 };
    return { values: measured, ...(checking ? { digest: hash.digest('hex') } : {}) };
  });
};

function lineOf(cells: DailyRow | readonly string[]): string {
  return `${cells.map(quoted).join(',')}\r\n`;
}

function quoted(cell: string | number): string | number {
  return typeof cell === 'string' && /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
