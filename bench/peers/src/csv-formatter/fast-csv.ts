import { once } from 'node:events';
import { format } from '@fast-csv/format';
import { employeesOf, tableColumns } from '@stechuhr/bench/data/table.js';
import { timedFile } from '@stechuhr/bench/data/timed-file.js';
import type { Run } from '@stechuhr/bench/harness/types.js';

export const run: Run = (input) =>
  timedFile(input, async ({ stream }) => {
    const headers = tableColumns.map(({ header }) => header);
    const writer = format<string[], string[]>({ headers, rowDelimiter: '\r\n', includeEndRowDelimiter: true });
    writer.pipe(stream);
    for (const rows of employeesOf(input.size)) {
      for (const { texts } of rows) if (!writer.write(texts)) await once(writer, 'drain');
    }
    writer.end();
    await once(stream, 'finish');
  });
