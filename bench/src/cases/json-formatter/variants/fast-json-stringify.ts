import { build } from 'fast-json-stringify';
import { tableColumns } from '../../../data/table.js';
import type { Run } from '../../../harness/types.js';
import { jsonRows } from '../json-rows.js';

const fields = tableColumns.map(({ header, kind }) => [header, { type: kind === 'number' ? 'number' : 'string', nullable: true }]);

export const run: Run = (input) => jsonRows(input, build({ type: 'object', properties: Object.fromEntries(fields) }));
