import { describe, expect, it } from '@jest/globals';
import type { StaffMember, StaffRecords } from '../directory.js';
import type { NeededParts } from '../needed-parts.js';
import { parseExportRequest } from '../request/parse-request.js';
import { anna, bernd, directory, EASTER, id, records, shift, span } from '../test/fixture.js';
import { refuseUnencodableRows } from './refuse-unencodable-rows.js';

const windows = 'csv:encoding>windows-1252';
const texts = { types: 'timespan:hours|balance:hours', columns: 'last-name|comment|project-name', response_only: 'true' };

/** A shift with a comment, on a project. */
function commented(number: number, comment: string) {
  const times = ['2026-04-01T07:00', '2026-04-01T08:00'] as const;
  return shift(number, ...times, [span('work', ...times, { comment, projectId: id(21) })]);
}

const staff = [anna, bernd];
const all = [
  records(anna.id, { workdays: [commented(1, 'Köln 👍')] }),
  records(bernd.id, { workdays: [commented(2, 'Köln 👍'), commented(3, 'Łódź')] }),
];

/** The parts that are read for a request. */
async function readFor(
  parameters: Record<string, string>,
  { exporter = 'generic', lookMs = Infinity } = {},
): Promise<readonly NeededParts[]> {
  const request = parseExportRequest(exporter, { daterange: EASTER, ...parameters }, directory);
  const asked: NeededParts[] = [];
  async function* read(_staff: readonly StaffMember[], parts: NeededParts): AsyncGenerator<StaffRecords, void, undefined> {
    asked.push(parts);
    yield* await Promise.resolve(all);
  }
  await refuseUnencodableRows({ request, directory, sections: request.sections.map(() => staff), read, lookMs });
  return asked;
}

describe('refuseUnencodableRows', () => {
  it('reports each text with unencodable characters once', async () => {
    await expect(readFor({ ...texts, export_format: windows })).rejects.toMatchObject({
      code: 'invalid',
      details: {
        export_format: [
          `"Köln 👍" (comment of employee ${anna.number}) has characters that windows-1252 cannot encode.`,
          `"Łódź" (comment of employee ${bernd.number}) has characters that windows-1252 cannot encode.`,
        ],
      },
    });
  });

  it('looks no further when its time is over', async () => {
    expect(await readFor({ ...texts, export_format: windows, is_async: 'true' }, { lookMs: 0 })).toEqual([]);
  });

  it('reads only what the rows with such texts need', async () => {
    const [parts, ...more] = await readFor({ ...texts, columns: 'last-name|project-name', export_format: windows });
    expect([parts, more]).toMatchObject([{ workdays: true, timespans: true, contracts: false, absences: false }, []]);
  });

  it.each([
    ['UTF-8, which has every character', 'generic', texts],
    ['columns of numbers and dates', 'generic', { ...texts, columns: 'last-name|date:date>de|weekday|value', export_format: windows }],
    ['types without such texts', 'generic', { ...texts, types: 'balance:hours|daily:hours', export_format: windows }],
    ['payroll, whose labels have question marks', 'payroll_a', { export_format: windows }],
  ])('reads nothing for %s', async (_, exporter, parameters: Record<string, string>) => {
    expect(await readFor(parameters, { exporter })).toEqual([]);
  });
});
