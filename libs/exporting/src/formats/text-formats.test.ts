import { describe, expect, it } from '@jest/globals';
import { anna, annasWeek, bodyOf, directory, EASTER, id, member, records, shift, span, type Run } from '../test/fixture.js';
import { parseExportRequest } from '../request/parse-request.js';
import { contentType, fileName } from '../request/export-request.js';

const types = 'work-time:hours|absence:days';

function named(lastName: string): Run {
  return { directory: { ...directory, staff: [{ ...anna, lastName }] } };
}

describe('plain', () => {
  it('is tab-separated without a header', async () => {
    expect(await bodyOf({ export_format: 'plain', types })).toBe('Abel\tAnna\twork-time:hours\t22.01\nAbel\tAnna\tabsence:days\t0.5\n');
  });

  it('keeps each row on one line', async () => {
    expect(await bodyOf({ export_format: 'plain', columns: 'last-name|value' }, named('=A\tb\r\nc\u2028d'))).toBe('=A b c d\t40.01\n');
  });

  it('accepts a prefix', async () => {
    expect(await bodyOf({ export_format: 'plain', columns: 'value', prefix: Buffer.from('März\n').toString('base64') })).toBe(
      'März\n40.01\n',
    );
  });
});

describe('table', () => {
  it('has a header, a separator line and padded columns', async () => {
    expect(await bodyOf({ export_format: 'table', types }, named('Ça👷'))).toBe(
      [
        'last-name  first-name  type             value',
        '---------  ----------  ---------------  -----',
        'Ça👷        Anna        work-time:hours  22.01',
        'Ça👷        Anna        absence:days       0.5',
        '',
      ].join('\n'),
    );
  });

  it('counts a letter and its mark as one character', async () => {
    expect(await bodyOf({ export_format: 'table', columns: 'last-name:as>n|value' }, named('Mu\u0308ller'))).toBe(
      ['n       value', '------  -----', 'Mu\u0308ller  40.01', ''].join('\n'),
    );
  });

  it('shows its header when there are no rows', async () => {
    expect(await bodyOf({ export_format: 'table', columns: 'value|email' }, { records: [] })).toBe('value  email\n-----  -----\n');
  });

  it('is not as wide as a long comment', async () => {
    const comment = 'x'.repeat(10_000);
    const spans = [
      span('work', '2026-04-01T07:00', '2026-04-01T08:00', { id: id(501), comment }),
      span('work', '2026-04-01T08:00', '2026-04-01T09:00', { id: id(502), comment: 'short' }),
    ];
    const workdays = [shift(401, '2026-04-01T07:00', '2026-04-01T09:00', spans)];
    const parameters = { export_format: 'table', types: 'timespan:hours', columns: 'comment|value' };
    const lines = (await bodyOf(parameters, { records: [records(anna.id, { workdays })] })).split('\n');
    expect(lines.map(({ length }) => length)).toEqual([262, 262, 10_007, 262, 0]);
    expect(lines[2]).toBe(`${comment}      1`);
  });

  it('is a string in an envelope, after the prefix', async () => {
    const parameters = { export_format: 'table', columns: 'value', response_only: '0', prefix: Buffer.from('A\n').toString('base64') };
    expect(JSON.parse(await bodyOf(parameters))).toMatchObject({ response: 'A\nvalue\n-----\n40.01\n' });
  });

  it('does not buffer all rows of a long table', async () => {
    const staff = Array.from({ length: 2001 }, (_, index) =>
      member({ id: id(1000 + index), lastName: index === 2000 ? 'Very long' : 'A' }),
    );
    const run = { directory: { ...directory, staff }, records: staff.map((entry) => records(entry.id)) };
    const lines = (await bodyOf({ export_format: 'table', columns: 'last-name:as>n|value', skip_zero_rows: '0' }, run)).split('\n');
    expect([lines.length, lines[0], lines[2001], lines[2002]]).toEqual([2004, 'n  value', 'A      0', 'Very long      0']);
  });
});

it.each(['plain', 'table'])('%s files are plain text', async (format) => {
  const request = parseExportRequest('generic', { daterange: EASTER, export_format: format, response_only: 'true' }, directory);
  expect([contentType(request), fileName(request)]).toEqual(['text/plain; charset=utf-8', 'generic-2026-04-01-2026-04-07.txt']);
  expect(await bodyOf({ export_format: format, columns: 'value' }, { records: [annasWeek] })).toContain('40.01');
  expect(() => parseExportRequest('generic', { daterange: EASTER, export_format: `${format}:header` }, directory)).toThrow('invalid');
});
