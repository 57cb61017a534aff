import { beforeAll, describe, expect, it } from '@jest/globals';
import { buildEmployee, buildInstitution, buildAccount, buildWorkday } from '@stechuhr/testing';
import ExcelJS from 'exceljs';
import { buffer } from 'node:stream/consumers';
import { call, open, query } from './support/http.js';
import type { UsedPlatform } from './support/platform.js';
import { sharedPlatform } from './support/shared-platform.js';

const institution = buildInstitution();
const ids = { institution_id: institution.id };
const account = buildAccount({ ...ids, role: 'admin' });
const anna = buildEmployee({ ...ids, first_name: 'Anna', last_name: 'Abel' });
const bernd = buildEmployee({ ...ids, first_name: 'Bernd', last_name: 'Blau', archived_on: '2026-02-28' });

const MARCH = { daterange: '2026-03-01|2026-03-31', types: 'work-time:hours', columns: 'last-name|value' };

let platform: UsedPlatform;
let token: string;

beforeAll(async () => {
  platform = await sharedPlatform();
  const workdays = ['2026-03-03', '2026-02-03'].map((date) => {
    const employee_id = date.startsWith('2026-02') ? bernd.id : anna.id;
    return buildWorkday({ ...ids, employee_id, date, started_at: `${date}T08:00:00`, ended_at: `${date}T10:30:00`, timespans: [] });
  });
  expect(await platform.importLines([institution, account, anna, bernd, ...workdays])).toMatchObject({ rejected: [] });
  token = await platform.issueToken(account.id);
});

function addressOf(config: unknown, parameters: Readonly<Record<string, string>> = {}): string {
  return `${platform.baseUrl}/exports/multi/?${query({ ...MARCH, config: JSON.stringify(config), ...parameters })}`;
}

const parts = [
  { title: 'März: Stunden' },
  { title: 'Februar', daterange: ['2026-02-01', '2026-02-28'], columns: ['last-name', 'period-start', 'value:hhmm'] },
];

describe('multi', () => {
  it('returns sections, or rows with the titles of their sections', async () => {
    const csv = await call(addressOf(parts, { response_only: 'true' }), { token });
    expect(csv).toMatchObject({
      status: 200,
      text: 'März: Stunden\r\nlast-name,value\r\nAbel,2.5\r\n\r\nFebruar\r\nlast-name,period-start,value\r\nBlau,2026-02-01,2:30\r\n',
      headers: { 'content-disposition': expect.stringContaining('multi-2026-03-01-2026-03-31.csv'), 'x-export-skipped': '1' },
    });
    const json = await call(addressOf(parts, { export_format: 'json' }), { token });
    expect(json.json).toMatchObject({
      request: { exporter: 'multi', daterange: ['2026-03-01', '2026-03-31'], columns: ['last-name', 'value'] },
      response: [
        { section: 'März: Stunden', 'last-name': 'Abel', value: 2.5 },
        { section: 'Februar', 'last-name': 'Blau', 'period-start': '2026-02-01', value: '2:30' },
      ],
    });
  });

  it('returns a workbook with a sheet for each part', async () => {
    const answer = await open(addressOf(parts, { export_format: 'xlsx', response_only: 'true' }), { token });
    expect(answer.headers['content-type']).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet');
    const workbook = new ExcelJS.Workbook();
    // exceljs declares the type of older Buffers.
    await workbook.xlsx.load((await buffer(answer)) as never);
    expect(workbook.worksheets.map(({ name }) => name)).toEqual(['März_ Stunden', 'Februar']);
    expect(workbook.worksheets.map((sheet) => sheet.getRow(2).values)).toEqual([
      [undefined, 'Abel', 2.5],
      [undefined, 'Blau', new Date('2026-02-01'), '2:30'],
    ]);
  });

  it('reports the problems of all parts at their positions', async () => {
    const answer = await call(addressOf([{}, { types: ['work-tim:hours'], tilte: 'x' }, 7], { export_format: 'xlsx' }), { token });
    expect(answer).toMatchObject({ status: 400 });
    expect(answer.json).toEqual({
      export_format: ['"xlsx" needs response_only=true.'],
      config: [
        {},
        {
          types: ['"work-tim:hours" is not a valid choice. Did you mean "work-time:hours"?'],
          tilte: ['"tilte" is not a valid choice. Did you mean "title"?'],
        },
        { non_field_errors: ['Invalid data. Expected a dictionary, but got int.'] },
      ],
    });
    expect((await call(`${platform.baseUrl}/exports/multi/?${query(MARCH)}`, { token })).json).toEqual({
      config: ['This field is required.'],
    });
  });
});
