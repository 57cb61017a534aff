import { build } from 'fast-json-stringify';
import { tableColumns } from '@stechuhr/bench/data/table.js';
import type { Run } from '@stechuhr/bench/harness/types.js';
import { jsonRows } from '@stechuhr/bench/cases/json-formatter/json-rows.js';

const fields = tableColumns.map(({ header, kind }) => [header, { type: kind === 'number' ? 'number' : 'string', nullable: true }]);

export const run: Run = (input) => jsonRows(input, build({ type: 'object', properties: Object.fromEntries(fields) }));
