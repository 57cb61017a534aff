import { describe, expect, it } from '@jest/globals';
import type { ExportDirectory } from './directory.js';
import { parseExportRequest } from './request/parse-request.js';
import { selectStaff } from './select-staff.js';
import { anna, bernd, carla, day, directory, id, staffOf as select } from './test/fixture.js';

const skippedCarla = [{ id: carla.id, name: 'Carla Dorn', reason: 'archived' }];

describe('selectStaff', () => {
  it('skips and lists employees who were archived before the period', async () => {
    expect(await select({})).toEqual({ included: [anna, bernd], skipped: skippedCarla });
    expect(await select({ daterange: '2026-03-31|2026-04-07' })).toEqual({ included: [anna, bernd, carla], skipped: [] });
    expect(await select({ filter: 'archived=true' })).toEqual({ included: [], skipped: skippedCarla });
    expect(await select({ filter: 'archived=false' })).toEqual({ included: [anna, bernd], skipped: [] });
  });

  it('counts only selected staff as skipped', async () => {
    expect(await select({ employee_ids: `${anna.id}` })).toEqual({ included: [anna], skipped: [] });
    expect(await select({ filter: 'department=Hochbau' })).toEqual({ included: [anna], skipped: [] });
    expect(await select({ employee_ids: carla.id })).toEqual({ included: [], skipped: skippedCarla });
  });

  it('does not list archived employees if a filter requires records in the period', async () => {
    expect(await select({ filter: 'project=P-100' })).toEqual({ included: [anna, bernd], skipped: [] });
    expect(await select({ filter: 'missing-type!=sick' })).toEqual({ included: [anna, bernd], skipped: skippedCarla });
  });

  it('selects employees who match the ids or the groups, in the order of the rows', async () => {
    expect((await select({ employee_ids: bernd.id, employee_group_ids: id(11) })).included).toEqual([anna, bernd]);
    expect((await select({ employee_group_ids: id(12) })).included).toEqual([bernd]);
  });
});

describe('the staff of a large firm', () => {
  const staff = Array.from({ length: 2000 }, (_, n) => ({ ...anna, id: id(1000 + n), number: String(n) }));
  const windows = 'csv:encoding>windows-1252';
  const columns = Array.from({ length: 200 }, (_, n) => `last-name:as>${String(n)}`).join('|');
  const subjects = ['work', 'gross', 'break', 'credit', 'planned', 'night', 'sunday', 'saturday', 'holiday'];
  const types = subjects.map((subject) => `${subject}-time:hours`).join('|');

  it.each<[string, Record<string, string>]>([
    ['filters', { filter: Array.from({ length: 200 }, () => 'q=abel').join('|') }],
    ['columns of another encoding', { export_format: windows, columns, types, skip_zero_rows: 'false' }],
  ])('is chosen by many %s while others work', async (_, parameters) => {
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);
    expect((await select(parameters, { ...directory, staff })).included).toHaveLength(staff.length);
    clearInterval(timer);
    expect(turns).toBeGreaterThanOrEqual(3);
  });

  it('is chosen by the maximum number of ids in each part of multi in a moment', async () => {
    const many = { ...directory, staff: Array.from({ length: 20_000 }, (_, n) => ({ ...anna, id: id(n) })) };
    const ids = many.staff.slice(-1400).map((member) => member.id);
    const config = JSON.stringify(Array.from({ length: 20 }, () => ({})));
    const before = process.cpuUsage();
    const request = parseExportRequest('multi', { daterange: '2026-04-01|2026-04-30', employee_ids: ids.join('|'), config }, many);
    const { sections } = await selectStaff(request, many);
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(3_000);
    expect(sections.map((section) => section.length)).toEqual(Array.from({ length: 20 }, () => ids.length));
  });
});

describe('selectStaff for windows-1252', () => {
  const windows = { export_format: 'csv:encoding>windows-1252', columns: 'first-name|department|value' };
  const łukasz = { ...anna, firstName: 'Łukasz' };
  const unencodable = { export_format: ['"Łukasz" (first-name of employee 0042) has characters that windows-1252 cannot encode.'] };

  async function detailsOf(known: ExportDirectory, parameters: Readonly<Record<string, string>> = {}): Promise<unknown> {
    try {
      return (await select({ ...windows, ...parameters }, known)).included.length;
    } catch (error) {
      return error instanceof Error && 'details' in error ? error.details : error;
    }
  }

  it('reports all unencodable names and departments before the response begins', async () => {
    const departments = new Map([[id(12), { id: id(12), name: 'Gdańsk', costCenter: null }]]);
    expect(await detailsOf({ ...directory, departments, staff: [łukasz, bernd] })).toEqual({
      export_format: [
        '"Łukasz" (first-name of employee 0042) has characters that windows-1252 cannot encode.',
        '"Gdańsk" (department of employee 7) has characters that windows-1252 cannot encode.',
      ],
    });
  });

  it('ignores columns that are not requested and staff not employed in the period', async () => {
    expect(await detailsOf({ ...directory, staff: [{ ...anna, lastName: 'Łoś' }] })).toBe(1);
    expect(await detailsOf({ ...directory, staff: [{ ...łukasz, leftOn: day('2026-03-31') }] })).toBe(1);
    expect(await detailsOf({ ...directory, staff: [{ ...łukasz, hiredOn: day('2026-04-08') }] })).toBe(1);
  });

  it.each([
    ['rows of 0 are written', { skip_zero_rows: 'false' }, unencodable],
    ['an account of working time stays', { types: 'overtime-account:hours' }, 1],
    ['a vacation account stays', { types: 'work-time:hours|vacation-granted:days' }, 1],
  ])(
    'considers staff who left before the period where %s, and staff who joins after it only for rows of 0',
    async (_, parameters, ofOthers) => {
      expect(await detailsOf({ ...directory, staff: [{ ...łukasz, leftOn: day('2026-03-31') }] }, parameters)).toEqual(unencodable);
      expect(await detailsOf({ ...directory, staff: [{ ...łukasz, hiredOn: day('2026-04-08') }] }, parameters)).toEqual(ofOthers);
    },
  );

  it('reports the unencodable label of an absence type that is shown in its totals', async () => {
    const absenceTypes = [{ value: 'course', label: 'Kurs → extern', category: 'education', credited: true } as const];
    const known = { ...directory, institution: { ...directory.institution, absenceTypes }, staff: [anna] };
    const labels = { types: 'course:days', columns: 'absence-label|comment|date|start|break|value' };
    expect(await detailsOf(known, labels)).toEqual({
      export_format: ['"Kurs → extern" (absence-label of employee 0042) has characters that windows-1252 cannot encode.'],
    });
    expect(await detailsOf(known, { ...labels, types: 'absence:days' })).toBe(1);
    expect(await detailsOf(known, { ...labels, columns: 'absence-type|absence-label:max>4|value' })).toBe(1);
  });
});
