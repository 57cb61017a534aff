import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anna, annasWeek, bodyOf, directory, member, records, bernd } from '../test/fixture.js';

const json = { export_format: 'json' };

describe('json', () => {
  it('is an array of objects keyed by the columns, with numbers in numeric columns', async () => {
    const parameters = { ...json, types: 'work-time:hours|absence:days' };
    expect(await bodyOf(parameters, { records: [annasWeek, records(bernd.id)] })).toBe(
      '[{"last-name":"Abel","first-name":"Anna","type":"work-time:hours","value":22.01},' +
        '{"last-name":"Abel","first-name":"Anna","type":"absence:days","value":0.5}]',
    );
  });

  it('is an empty array when there are no rows', async () => {
    expect(await bodyOf(json, { records: [] })).toBe('[]');
  });

  it('never escapes formulas', async () => {
    const run = { directory: { ...directory, staff: [{ ...anna, lastName: '=1' }] } };
    expect(await bodyOf({ ...json, columns: 'last-name' }, run)).toBe('[{"last-name":"=1"}]');
  });

  it('preserves any text and any header', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme', minLength: 1 }), async (lastName, header) => {
        const staff = [member({ id: 'one', lastName })];
        const columns = `last-name:as>${encodeURIComponent(header)}|value`;
        fc.pre(header !== 'value');
        const body = await bodyOf(
          { ...json, columns, skip_zero_rows: 'false' },
          { directory: { ...directory, staff }, records: [records('one')] },
        );
        expect(Object.entries((JSON.parse(body) as object[])[0] ?? {})).toEqual(
          expect.arrayContaining([[header, lastName === '' ? null : lastName]]),
        );
      }),
    );
  });
});
