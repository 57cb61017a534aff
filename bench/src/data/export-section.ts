import { setImmediate } from 'node:timers/promises';
import { formats, type ChosenFormat } from '@stechuhr/exporting';
import { employeesOf, tableColumns, type TableColumn, type TableRow } from './table.js';

type Section = Parameters<ChosenFormat['write']>[0][number];
type ChosenColumn = Section['columns'][number];
type Run = Section['runs'] extends AsyncIterable<infer R> ? R : never;
type Row = Parameters<ChosenColumn['cell']>[0];

/** Returns a format of the platform, configured without options. */
export function formatOf(id: string): ChosenFormat {
  const format = formats.find((candidate) => candidate.id === id);
  if (format === undefined) throw new Error(`There is no format ${id}.`);
  return format.configure([], (problem) => {
    throw new Error(typeof problem === 'string' ? problem : problem());
  });
}

/**
 * Returns the table as a section of an export.
 *
 * @param sharing whether the formatter knows which cells are equal in all rows of an employee, as in an export
 */
export function exportSection(rows: number, sharing = true): Section {
  const at: Position = { row: undefined };
  return { title: null, columns: tableColumns.map((column, index) => chosen(column, index, { at, sharing })), runs: runsOf(rows, at) };
}

/** The current row. Cells are read from it instead of the formatter's row, which has the fields of a real export. */
interface Position {
  row: TableRow | undefined;
}

function chosen({ header, kind, shared }: TableColumn, index: number, { at, sharing }: { at: Position; sharing: boolean }): ChosenColumn {
  const cell = (): string => at.row?.texts[index] ?? '';
  const value = (): number => Number(at.row?.values[index]);
  const isNumber = kind === 'number';
  const numbers = { numeric: isNumber, fromNumber: isNumber, isAmount: isNumber };
  return { header, title: header, stage: stageOf(kind, cell, value), ...numbers, constant: sharing && shared, cell };
}

function stageOf(kind: TableColumn['kind'], cell: () => string, value: () => number): ChosenColumn['stage'] {
  switch (kind) {
    case 'text':
      return { kind, read: cell, printedNumber: false };
    case 'day':
      return { kind, read: value };
    case 'moment':
      return { kind, read: value, form: 'date-time' };
    case 'number':
      // Only modifiers read the exact value.
      return { kind, read: () => null, decimals: 2, print: cell };
  }
}

const YIELD_AFTER_MS = 10;

/** Yields the rows employee by employee, and yields to the event loop like `writeExport`. */
async function* runsOf(rows: number, at: Position): AsyncGenerator<Run, void, undefined> {
  let yieldAt = performance.now() + YIELD_AFTER_MS;
  for (const employee of employeesOf(rows)) {
    yield (emit) => {
      const row = emptyRow();
      for (const tableRow of employee) {
        at.row = tableRow;
        emit(row);
      }
    };
    if (performance.now() < yieldAt) continue;
    await setImmediate();
    yieldAt = performance.now() + YIELD_AFTER_MS;
  }
}

function emptyRow(): Row {
  const staff: Row['block']['staff'] = {
    id: '',
    number: '',
    accountingNumber: null,
    firstName: '',
    lastName: '',
    email: null,
    departmentId: null,
    customFields: {},
    hiredOn: 0,
    leftOn: null,
    archivedOn: null,
  };
  const nothing = { day: null, startedAt: null, endedAt: null, breakSeconds: null, projectId: null, project: null, comment: null, absence: null }; // prettier-ignore
  return { block: { staff, department: null, type: { id: '', label: '', unit: 'hours' } }, amount: 0, per: 1, rounded: 0, ...nothing };
}
