import type { Run } from '../../../harness/types.js';
import { jsonRows } from '../json-rows.js';

export const run: Run = (input) => jsonRows(input, (record) => JSON.stringify(record));
