import { beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { buffer } from 'node:stream/consumers';
import { call, open, query } from '../support/http.js';
import type { UsedPlatform } from '../support/platform.js';
import { sharedPlatform } from '../support/shared-platform.js';
import { departmentOf, payrollA, payrollAccounts, payrollB, payrollFirm, skipped } from './payroll-month.js';
import { formats, readRows, type Row } from './read-rows.js';

const { adminId, leaderId } = payrollAccounts;
const OCTOBER = '2025-10-01|2025-10-31';
const CONFIG = '0012345|00099';
const HEADER = 'MDNr;AbrMon;AbrJahr;ANNr;LANr;Dat;Kost;KoTr;AA;Anz;Betrag;Zuschlag;Text';

let platform: UsedPlatform;
let token: string;

beforeAll(async () => {
  platform = await sharedPlatform();
  expect(await platform.importLines(payrollFirm)).toMatchObject({ rejected: [] });
  token = await platform.issueToken(adminId);
});

function addressOf(exporter: string, parameters: Readonly<Record<string, string>>): string {
  return `${platform.baseUrl}/exports/${exporter}/?${query({ daterange: OCTOBER, response_only: 'true', ...parameters })}`;
}

function readSemicolons(file: Buffer): Row[] {
  return parse(file, { columns: true, delimiter: ';' });
}

const decimal = (count: number): string => count.toFixed(2).replace('.', ',');

/** Returns the expected row: text formats print numbers and null as text. */
function expectedRow([number, code, day, count, text]: (typeof payrollA)[number], format: (typeof formats)[number]): Row {
  const names = HEADER.split(';');
  const kost = departmentOf(number);
  const cells = ['1', 10, 2025, number, code, day, kost, null, null, count, null, null, text];
  if (format === 'json' || format === 'xlsx') return rowOf(names, cells);
  const printed = cells.map((cell, index) => (index === 9 ? decimal(count) : cell === null ? '' : String(cell)));
  return rowOf(names, format === 'csv' ? printed : printed.map((cell) => cell.replaceAll('\n', ' ')));
}

function rowOf(names: readonly string[], cells: readonly unknown[]): Row {
  return Object.fromEntries(names.map((name, index) => [name, cells[index]]));
}

describe('payroll_a', () => {
  it('matches the manual calculation exactly', async () => {
    const answer = await call(addressOf('payroll_a', {}), { token });
    const lines = payrollA.map(([number, code, day, count, text]) => {
      const kost = departmentOf(number) ?? '';
      const cell = kost.includes(';') ? `"${kost.replaceAll('"', '""')}"` : kost;
      return `1;10;2025;${number};${String(code)};${day === null ? '' : String(day)};${cell};;;${decimal(count)};;;${text}`;
    });
    expect(answer.text).toBe([HEADER, ...lines, ''].join('\r\n'));
    expect(answer.headers).toMatchObject({ 'content-type': 'text/csv; charset=utf-8' });
    expect(answer.headers['content-disposition']).toContain('payroll_a-2025-10-01-2025-10-31.csv');
  });

  it.each(formats)('has the same rows as %s', async (format) => {
    const answer = await open(addressOf('payroll_a', { export_format: format }), { token });
    const names = HEADER.split(';');
    const rows = format === 'csv' ? readSemicolons(await buffer(answer)) : await readRows(format, await buffer(answer), names);
    expect(rows).toEqual(payrollA.map((row) => expectedRow(row, format)));
  });

  it('contains only the requested wage codes, including the two that every employee has', async () => {
    const answer = await call(addressOf('payroll_a', { types: '401|360', export_format: 'json' }), { token });
    const expected = payrollA.filter(([, code]) => code === 401 || code === 360).map((row) => expectedRow(row, 'json'));
    expect(answer.json).toEqual(expected);
  });
});

describe('payroll_b', () => {
  it('matches the manual calculation exactly', async () => {
    const answer = await call(addressOf('payroll_b', { config: CONFIG }), { token });
    expect(answer.text).toBe([...payrollB, ''].join('\r\n'));
  });

  it.each(['json', 'table', 'xlsx'] as const)('has the same rows as %s', async (format) => {
    const answer = await open(addressOf('payroll_b', { config: CONFIG, export_format: format }), { token });
    const rows = await readRows(format, await buffer(answer), ['accounting-number', 'wage-code', 'value']);
    const cells = rows.map((row) =>
      [row['accounting-number'], String(row['wage-code']), typeof row['value'] === 'number' ? decimal(row['value']) : row['value']].join(
        ';',
      ),
    );
    expect(cells).toEqual(payrollB.slice(1));
  });

  it('is returned as text in an envelope', async () => {
    const answer = await call(addressOf('payroll_b', { config: CONFIG, response_only: 'false' }), { token });
    expect(answer.json).toMatchObject({
      request: { exporter: 'payroll_b', export_format: 'csv', daterange: ['2025-10-01', '2025-10-31'], types: null, columns: null },
      response: `${payrollB.join('\r\n')}\r\n`,
    });
  });
});

describe('an employee who is not in the file', () => {
  it.each(['payroll_a', 'payroll_b'])('is counted as skipped by %s', async (exporter) => {
    const parameters: Record<string, string> = exporter === 'payroll_b' ? { config: CONFIG } : {};
    const answer = await call(addressOf(exporter, parameters), { token });
    expect(answer.headers['x-export-skipped']).toBe(String(skipped.length));
    const head = await call(addressOf(exporter, parameters), { token, method: 'HEAD' });
    expect(head.headers['x-export-skipped']).toBe(String(skipped.length));
  });

  it('is shown by the CLI before it writes the file', async () => {
    const options = ['--account', adminId, '--daterange', OCTOBER, '--param', `config=${CONFIG}`];
    const { exitCode, stdout, stderr } = await platform.cli(['export', 'payroll_b', ...options]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: [...payrollB, ''].join('\r\n') });
    const lines = stderr.split('\n').map((line) => line.split(/ {2,}/).slice(0, 2));
    expect(lines.filter(([, reason]) => reason?.includes('-') === true || reason === 'left' || reason === 'archived')).toEqual(skipped);
  });

  it('is not reported for a request that is rejected', async () => {
    const answer = await platform.cli(['export', 'payroll_b', '--account', adminId, '--daterange', OCTOBER]);
    expect(answer).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining('--param config: This field is required.') });
  });

  it('is reported together with other warnings', async () => {
    const answer = await call(addressOf('payroll_b', { config: CONFIG }), { token });
    // The export waits for the review only for a limited time.
    const review = '(open-review-errors|review-unknown);count=1;about="2025-10"';
    const ofB = 'staff-left-out;count=1;about="no-accounting-number", unusable-accounting-number;count=1;about="A-7"';
    expect(answer.headers['x-export-warnings']).toMatch(
      new RegExp(`^${ofB}, absence-without-wage-code;count=2;about="school unpaid", ${review}$`, 'u'),
    );
    const other = await call(addressOf('payroll_a', {}), { token });
    const ofA = 'staff-left-out;count=1;about="no-accounting-number", absence-without-wage-code;count=1;about="unpaid"';
    expect(other.headers['x-export-warnings']).toMatch(new RegExp(`^${ofA}, ${review}$`, 'u'));
    expect((await call(addressOf('generic', {}), { token })).headers['x-export-warnings']).toBeUndefined();
    const options = ['--account', adminId, '--daterange', OCTOBER, '--param', `config=${CONFIG}`];
    const { stderr } = await platform.cli(['export', 'payroll_b', ...options]);
    expect(stderr).toMatch(/^Warning: The accounting number A-7 of Zoë Ünal \(Zoë\) is not a personnel number of DATEV/mu);
    expect(stderr).toMatch(/^Warning: The review of 2025-10 has \d+ open errors\. See: stechuhr review --month 2025-10$/mu);
    const quiet = await platform.cli(['export', 'payroll_b', ...options, '--no-review']);
    expect(quiet.stderr).not.toContain('review');
  });

  it('is not disclosed to a leader who may not see the employee', async () => {
    const leader = await platform.issueToken(leaderId);
    const answer = await call(addressOf('payroll_b', { config: CONFIG }), { token: leader });
    expect(answer.headers['x-export-skipped']).toBe('0');
    expect(answer.text).toBe([payrollB[0], ...payrollB.filter((row) => /^000[34];/.test(row)), ''].join('\r\n'));
  });
});

describe('rejected requests', () => {
  it.each([
    ['payroll_a', { config: '1|2' }, { config: ['The exporter "payroll_a" takes no config.'] }],
    ['payroll_a', { columns: 'value' }, { columns: ['The exporter "payroll_a" takes no columns.'] }],
    ['payroll_a', { types: '999' }, { types: ['"999" is not a valid choice.'] }],
    ['payroll_a', { export_format: 'csv:header>false' }, { export_format: ['Option "header" is not a valid choice.'] }],
    ['payroll_a', { export_format: 'xlsx', response_only: 'false' }, { export_format: ['"xlsx" needs response_only=true.'] }],
    ['payroll_b', {}, { config: ['This field is required.'] }],
    ['payroll_b', { config: '1|x' }, { config: ['Must have the form <advisor_number>|<client_number>, both of digits only.'] }],
    ['payroll_b', { config: CONFIG, types: '1000' }, { types: ['The exporter "payroll_b" takes no types.'] }],
    ['payroll_b', { config: CONFIG, columns: 'value' }, { columns: ['The exporter "payroll_b" takes no columns.'] }],
    ['payroll_b', { config: CONFIG, employee_ids: adminId }, { employee_ids: [`Unknown id "${adminId}".`] }],
    ['payroll_b', { config: CONFIG, daterange: '' }, { daterange: ['This field is required.'] }],
  ])('%s %j', async (exporter, parameters: Record<string, string>, body) => {
    expect(await call(addressOf(exporter, parameters), { token })).toMatchObject({ status: 400, json: body });
  });
});
