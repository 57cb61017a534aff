import { once } from 'node:events';
import { stringify } from 'csv-stringify';
import { employeesOf, tableColumns } from '../../../data/table.js';
import { timedFile } from '../../../data/timed-file.js';
import type { Run } from '../../../harness/types.js';

export const run: Run = (input) =>
  timedFile(input, async ({ stream }) => {
    const writer = stringify({ header: true, columns: tableColumns.map(({ header }) => header), record_delimiter: '\r\n' });
    writer.pipe(stream);
    for (const rows of employeesOf(input.size)) {
      for (const { texts } of rows) if (!writer.write(texts)) await once(writer, 'drain');
    }
    writer.end();
    await once(stream, 'finish');
  });
