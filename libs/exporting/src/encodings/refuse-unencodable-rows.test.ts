import { describe, expect, it } from '@jest/globals';
import type { ExportDirectory, StaffMember, StaffRecords } from '../directory.js';
import type { NeededParts } from '../needed-parts.js';
import { parseExportRequest } from '../request/parse-request.js';
import { absence, anna, bernd, contract, day, directory, EASTER, id, records, shift, span, streamOf } from '../test/fixture.js';
import { refuseUnencodableRows } from './refuse-unencodable-rows.js';

const windows = 'csv:encoding>windows-1252';
const texts = { types: 'timespan:hours|balance:hours', columns: 'last-name|comment|project-name', response_only: 'true' };

/** A shift with a comment, on a project. */
function commented(number: number, comment: string) {
  const times = ['2026-04-01T07:00', '2026-04-01T08:00'] as const;
  return shift(number, ...times, [span('work', ...times, { comment, projectId: id(21) })]);
}

const all = [
  records(anna.id, { workdays: [commented(1, 'Köln 👍')] }),
  records(bernd.id, { workdays: [commented(2, 'Köln 👍'), commented(3, 'Łódź')] }),
];

interface Terms {
  readonly exporter?: string;
  readonly lookMs?: number;
  readonly known?: ExportDirectory;
  readonly recorded?: readonly StaffRecords[];
}

/** The parts and the employees that are read for a request. */
async function readFor(
  parameters: Record<string, string>,
  { exporter = 'generic', lookMs = Infinity, known = { ...directory, staff: [anna, bernd] }, recorded = all }: Terms = {},
): Promise<readonly (NeededParts & { readonly of: readonly string[] })[]> {
  const request = parseExportRequest(exporter, { daterange: EASTER, ...parameters }, known);
  const asked: (NeededParts & { readonly of: readonly string[] })[] = [];
  const read = (staff: readonly StaffMember[], parts: NeededParts): AsyncIterable<StaffRecords> => {
    const of = staff.map((member) => member.id);
    asked.push({ ...parts, of });
    return streamOf(recorded.filter(({ employeeId }) => of.includes(employeeId)));
  };
  await refuseUnencodableRows({ request, directory: known, sections: request.sections.map(() => known.staff), read, lookMs });
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

describe('refuseUnencodableRows for names', () => {
  const łukasz = { ...anna, firstName: 'Łukasz' };
  const named = { export_format: windows, columns: 'first-name|department|value' };
  const worked = [records(anna.id, { workdays: [commented(1, 'EG')] }), records(bernd.id, { workdays: [commented(2, 'EG')] })];
  const ofŁukasz = { export_format: ['"Łukasz" (first-name of employee 0042) has characters that windows-1252 cannot encode.'] };

  const detailsOf = (staff: readonly StaffMember[], parameters: Record<string, string> = {}, terms: Terms = {}): Promise<unknown> =>
    readFor({ ...named, ...parameters }, { recorded: worked, known: { ...directory, staff }, ...terms }).then(
      () => 'written',
      (error: unknown) => (error instanceof Error && 'details' in error ? error.details : error),
    );

  it('reports those of all employees who have rows, with their departments', async () => {
    const departments = new Map([[id(12), { id: id(12), name: 'Gdańsk', costCenter: null }]]);
    const known = { ...directory, departments, staff: [łukasz, bernd] };
    expect(await detailsOf([], {}, { known })).toEqual({
      export_format: [...ofŁukasz.export_format, '"Gdańsk" (department of employee 7) has characters that windows-1252 cannot encode.'],
    });
  });

  it('reads only the records of employees with such a name in a requested column', async () => {
    const known = { ...directory, staff: [{ ...anna, lastName: 'Łoś' }, bernd] };
    expect(await readFor(named, { known, recorded: worked })).toEqual([]);
    const [parts, ...more] = await readFor({ ...named, columns: 'last-name|value', types: 'sick:days' }, { known, recorded: worked });
    expect([parts, more]).toMatchObject([{ of: [anna.id], absences: true, workdays: false }, []]);
  });

  it.each<[string, Partial<StaffMember>]>([
    ['employed', {}],
    ['no longer employed', { leftOn: day('2026-03-31') }],
    ['not employed yet', { hiredOn: day('2026-04-08') }],
  ])('takes rows, not employment, of somebody who is %s', async (_, employment) => {
    const staff = [{ ...łukasz, ...employment }];
    expect(await detailsOf(staff)).toEqual(ofŁukasz);
    expect(await detailsOf(staff, { types: 'sick:days' })).toBe('written');
    expect(await detailsOf(staff, { types: 'sick:days', skip_zero_rows: 'false' })).toEqual(ofŁukasz);
  });

  it('does not report employees whom a filter on records leaves out', async () => {
    expect(await detailsOf([łukasz], { filter: 'project=P-100' })).toEqual(ofŁukasz);
    expect(await detailsOf([łukasz], { filter: 'missing-type=sick' })).toBe('written');
  });

  it('reports the label of an absence type that is shown in its totals', async () => {
    const absenceTypes = [{ value: 'course', label: 'Kurs → extern', category: 'education', credited: true } as const];
    const known = { ...directory, institution: { ...directory.institution, absenceTypes }, staff: [anna] };
    const recorded = [records(anna.id, { contracts: [contract], absences: [absence({ missingType: 'course' })] })];
    const labels = { types: 'course:days', columns: 'absence-label|comment|date|start|break|value' };
    expect(await detailsOf([], labels, { known, recorded })).toEqual({
      export_format: ['"Kurs → extern" (absence-label of employee 0042) has characters that windows-1252 cannot encode.'],
    });
    expect(await detailsOf([], { ...labels, types: 'absence:days' }, { known, recorded })).toBe('written');
    expect(await detailsOf([], { ...labels, columns: 'absence-type|absence-label:max>4|value' }, { known, recorded })).toBe('written');
  });

  it.each([
    ['payroll_a', 'ANNr'],
    ['payroll_b', 'accounting-number'],
  ])('reports accounting numbers in %s', async (exporter, column) => {
    const config: Record<string, string> = exporter === 'payroll_b' ? { config: '1|2' } : {};
    const known = { ...directory, staff: [{ ...łukasz, accountingNumber: '2Ł' }] };
    const refused = readFor({ export_format: windows, ...config }, { exporter, known, recorded: worked });
    await expect(refused).rejects.toMatchObject({
      details: { export_format: [`"2Ł" (${column} of employee 0042) has characters that windows-1252 cannot encode.`] },
    });
  });

  it('looks at many columns of a large firm while others work', async () => {
    const staff = Array.from({ length: 2000 }, (_, n) => ({ ...anna, id: id(1000 + n), number: String(n) }));
    const columns = Array.from({ length: 200 }, (_, n) => `last-name:as>${String(n)}`).join('|');
    const subjects = ['work', 'gross', 'break', 'credit', 'planned', 'night', 'sunday', 'saturday', 'holiday'];
    const types = subjects.map((subject) => `${subject}-time:hours`).join('|');
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);
    expect(await detailsOf(staff, { columns, types })).toBe('written');
    clearInterval(timer);
    expect(turns).toBeGreaterThanOrEqual(3);
  });
});
