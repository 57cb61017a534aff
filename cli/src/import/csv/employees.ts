import { uuidV5 } from '@stechuhr/kernel';
import { readDate, readText } from './cells.js';
import type { Directory, Fields, StoredEmployee } from './directory.js';
import type { EmployeeMapping } from './mapping.js';
import { uniqueRecord } from './named.js';
import { lineAt, type Convert, type RowPlace, type RowReader } from './row-reader.js';

const NEEDED = ['first_name', 'last_name', 'hired_on'] as const;
const TEXTS = ['accounting_number', 'first_name', 'last_name', 'email'] as const;
const DATES = ['hired_on', 'left_on', 'archived_on'] as const;
const NUMBERS = { one: 'number', many: 'employees; correct this in the platform first' };
const DEPARTMENTS = { one: 'department', many: 'departments' };

/**
 * Converts rows to employees. A row updates the employee with its personnel number and leaves fields without a column unchanged. If no employee has
 * the number, the row creates one, whose id is derived from the institution and the number.
 */
export function employeeRows({ institution_id, formats, columns }: EmployeeMapping, directory: Directory): Convert {
  const places = new Map<string, RowPlace>();
  return ({ file, line }, cells) => {
    const number = cells.required('number', readText);
    const stored = number === undefined ? undefined : cells.optional('number', (text) => knownBy(text, directory));
    const given = {
      ...valuesOf(cells, TEXTS, readText),
      ...valuesOf(cells, DATES, (text) => readDate(text, formats.date)),
      ...departmentOf(cells, directory),
      ...customFieldsOf(cells, Object.keys(columns.custom_fields ?? {}), stored?.fields),
    };
    const before = number === undefined ? undefined : places.get(number);
    if (before !== undefined) cells.wrong('number', `is already in ${lineAt(before, file)}`);
    else if (number !== undefined) places.set(number, { file, line });
    const fields: Fields = { ...stored?.fields, ...given, number };
    if (cells.problems.length === 0) judge(fields, cells, number ?? '');
    const id = stored?.id ?? (number === undefined ? null : newIdOf(number, institution_id, directory));
    if (cells.problems.length > 0 || id === null) return { id, problems: cells.problems };
    return { id, record: { kind: 'employee', institution_id, id, ...fields }, ifVersion: versionOf(stored) };
  };
}

function versionOf(stored: StoredEmployee | null | undefined): number | undefined {
  return stored ? stored.version : 0;
}

/** Derives the id of a new employee. An employee who had the number before and has another one now keeps the id that was derived from it. */
function newIdOf(number: string, institutionId: string, { employeeIds }: Directory): string {
  for (let count = 1; ; count += 1) {
    const id = uuidV5(institutionId, `csv/employee${count === 1 ? '' : `-${String(count)}`}/${number}`);
    if (!employeeIds.has(id)) return id;
  }
}

function knownBy(number: string, { employeesByNumber }: Directory) {
  return employeesByNumber.has(number) ? uniqueRecord(employeesByNumber, number, NUMBERS) : null;
}

/** Reads only the fields that have a column. */
function valuesOf(cells: RowReader, fields: readonly string[], read: (text: string) => string): Fields {
  return Object.fromEntries(fields.filter((field) => cells.has(field)).map((field) => [field, cells.optional(field, read)]));
}

function departmentOf(cells: RowReader, { departments }: Directory): Fields {
  if (!cells.has('department')) return {};
  const department = cells.optional('department', (name) => uniqueRecord(departments, name, DEPARTMENTS));
  return { department_id: department?.id ?? null };
}

function customFieldsOf(cells: RowReader, names: readonly string[], stored: Fields | undefined): Fields {
  if (names.length === 0) return {};
  const given = names.map((name) => [name, cells.optional(`custom_fields.${name}`, (text) => text)] as const);
  return { custom_fields: { ...(stored?.['custom_fields'] as Fields | undefined), ...Object.fromEntries(given) } };
}

function judge(fields: Fields, cells: RowReader, number: string): void {
  for (const field of NEEDED) {
    if (fields[field] !== undefined && fields[field] !== null) continue;
    if (cells.has(field)) cells.required(field, readText);
    else cells.problems.push(`${number} is a new employee, so the mapping must name a column for ${field}.`);
  }
  const { hired_on: hired, left_on: left } = fields;
  if (typeof hired === 'string' && typeof left === 'string' && left < hired) {
    cells.wrong(cells.has('left_on') ? 'left_on' : 'hired_on', 'has the last day of employment before the first one');
  }
}
