import { beforeAll, describe, expect, it } from '@jest/globals';
import { buffer } from 'node:stream/consumers';
import { open, query } from '../support/http.js';
import type { UsedPlatform } from '../support/platform.js';
import { sharedPlatform } from '../support/shared-platform.js';
import { daily, march, october, timespansOfTheSixth, workdays, type Totals } from './expected.js';
import { adminId, employeeIds, firm, leaderId, type LastName } from './firm.js';
import { formats, readRows, type Row } from './read-rows.js';

const OCTOBER = '2025-10-01|2025-10-31';
const MARCH = '2025-03-01|2025-03-31';
const TYPES = [
  'credit-time:hours',
  'work-time:hours',
  'gross-time:hours',
  'break-time:hours',
  'planned-time:hours',
  'planned-time:days',
  'balance:hours',
  'vacation:hours',
  'vacation:days',
  'sick:hours',
  'sick:days',
  'school:hours',
  'school:days',
  'unpaid:hours',
  'unpaid:days',
];

let platform: UsedPlatform;
let token: string;

beforeAll(async () => {
  platform = await sharedPlatform();
  expect(await platform.importLines(firm)).toEqual({
    accepted: { institution: 1, account: 2, department: 2, project: 1, employee: 12, contract: 12, absence: 11, workday: 34 },
    rejected: [],
    warnings: [],
  });
  token = await platform.issueToken(adminId);
});

type Parameters = Readonly<Record<string, string>> & { readonly columns: string };

async function exportAs(format: (typeof formats)[number], parameters: Parameters, as = token): Promise<Row[]> {
  const address = `${platform.baseUrl}/exports/generic/?${query({ export_format: format, response_only: 'true', ...parameters })}`;
  const answer = await open(address, { token: as });
  expect(answer.statusCode).toBe(200);
  return readRows(format, await buffer(answer), parameters.columns.split('|'));
}

/** Returns the expected rows of an export of totals, in the order of employees, then of the requested types. */
function rowsOf(expected: Readonly<Partial<Record<LastName, Totals>>>, types: readonly string[]): (string | number)[][] {
  return Object.entries(expected).flatMap(([name, totals]) =>
    types.flatMap((type) => (totals[type] === undefined ? [] : [[name, type, totals[type]]])),
  );
}

/** Converts text columns to numbers, because text formats contain only text; other values are kept. */
const numbered = (rows: readonly Row[], ...columns: readonly string[]): unknown[][] =>
  rows.map((row) =>
    columns.map((column) => (['value', 'break'].includes(column) && row[column] !== null ? Number(row[column]) : row[column])),
  );

describe.each(formats)('a month calculated by hand, as %s', (format) => {
  it('has all totals with two decimals, and no rows of 0', async () => {
    const rows = await exportAs(format, { daterange: OCTOBER, types: TYPES.join('|'), columns: 'last-name|type|value' });
    expect(numbered(rows, 'last-name', 'type', 'value')).toEqual(rowsOf(october, TYPES));
  });

  it('is correct for the night that is an hour shorter', async () => {
    const types = ['work-time:hours', 'gross-time:hours', 'break-time:hours', 'planned-time:hours', 'balance:hours'];
    const parameters = { daterange: MARCH, types: types.join('|'), columns: 'last-name|type|value' };
    const rows = await exportAs(format, { ...parameters, employee_ids: `${employeeIds.Dorn}|${employeeIds.Czerny}` });
    expect(numbered(rows, 'last-name', 'type', 'value')).toEqual(rowsOf(march, types));
  });

  it('splits hours at midnight and at the end of the month', async () => {
    const ids = [employeeIds.Bauer, employeeIds.Czerny, employeeIds.Dorn].join('|');
    const rows = await exportAs(format, {
      daterange: OCTOBER,
      types: 'daily:hours',
      columns: 'last-name|date|value',
      employee_ids: ids,
    });
    expect(numbered(rows, 'last-name', 'date', 'value')).toEqual(daily);
  });

  it('shows complete workdays but counts only hours in the month', async () => {
    const ids = [employeeIds.Bauer, employeeIds.Czerny, employeeIds.Dorn].join('|');
    const columns = 'last-name|start|end|value|break';
    const rows = await exportAs(format, { daterange: OCTOBER, types: 'workday:hours', columns, employee_ids: ids });
    expect(numbered(rows, 'last-name', 'start', 'end', 'value', 'break')).toEqual(workdays);
  });

  it('subtracts overlapping breaks from the timespans that contain them', async () => {
    const columns = 'start|end|value|break';
    const parameters = { daterange: '2025-10-06|2025-10-06', types: 'timespan:hours', columns, employee_ids: employeeIds.Adler };
    expect(numbered(await exportAs(format, parameters), 'start', 'end', 'value', 'break')).toEqual(timespansOfTheSixth);
  });
});

describe('the same month', () => {
  it('contains only the employees of the department for a department leader', async () => {
    const leader = await platform.issueToken(leaderId);
    const rows = await exportAs('json', { daterange: OCTOBER, types: 'work-time:hours', columns: 'last-name|value' }, leader);
    expect(rows).toEqual([
      { 'last-name': 'Czerny', value: 8.5 },
      { 'last-name': 'Dorn', value: 0.5 },
    ]);
  });

  it('contains rows of 0 on request, but nobody who was archived before', async () => {
    const parameters = { daterange: OCTOBER, types: 'sick:days', columns: 'last-name|value', skip_zero_rows: 'false' };
    const rows = await exportAs('json', parameters);
    const names = Object.keys(employeeIds).filter((name) => name !== 'Kraus');
    expect(rows.map((row) => row['last-name'])).toEqual(names);
  });
});
