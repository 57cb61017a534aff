import { describe, expect, it } from '@jest/globals';
import type { ExportDirectory } from './directory.js';
import { anna, bernd, carla, day, directory, id, staffOf as select } from './test/fixture.js';

const skippedCarla = [{ id: carla.id, name: 'Carla Dorn', reason: 'archived' }];

describe('selectStaff', () => {
  it('leaves out and lists whoever was archived before the period', () => {
    expect(select({})).toEqual({ included: [anna, bernd], skipped: skippedCarla });
    expect(select({ daterange: '2026-03-31|2026-04-07' })).toEqual({ included: [anna, bernd, carla], skipped: [] });
    expect(select({ filter: 'archived=true' })).toEqual({ included: [], skipped: skippedCarla });
    expect(select({ filter: 'archived=false' })).toEqual({ included: [anna, bernd], skipped: [] });
  });

  it('counts only selected staff as skipped', () => {
    expect(select({ employee_ids: `${anna.id}` })).toEqual({ included: [anna], skipped: [] });
    expect(select({ filter: 'department=Hochbau' })).toEqual({ included: [anna], skipped: [] });
    expect(select({ employee_ids: carla.id })).toEqual({ included: [], skipped: skippedCarla });
  });

  it('does not count the archived when records in the period are asked for', () => {
    expect(select({ filter: 'project=P-100' })).toEqual({ included: [anna, bernd], skipped: [] });
    expect(select({ filter: 'missing-type!=sick' })).toEqual({ included: [anna, bernd], skipped: skippedCarla });
  });

  it('takes whoever matches the ids or the groups, in the order of the rows', () => {
    expect(select({ employee_ids: bernd.id, employee_group_ids: id(11) }).included).toEqual([anna, bernd]);
    expect(select({ employee_group_ids: id(12) }).included).toEqual([bernd]);
  });
});

describe('selectStaff for windows-1252', () => {
  const windows = { export_format: 'csv:encoding>windows-1252', columns: 'first-name|department|value' };
  const łukasz = { ...anna, firstName: 'Łukasz' };
  const unfit = { export_format: ['"Łukasz" (first-name of employee 0042) has characters that windows-1252 cannot encode.'] };

  function detailsOf(known: ExportDirectory, parameters: Readonly<Record<string, string>> = {}): unknown {
    try {
      return select({ ...windows, ...parameters }, known).included.length;
    } catch (error) {
      return error instanceof Error && 'details' in error ? error.details : error;
    }
  }

  it('reports all names and departments that do not fit, before anything is answered', () => {
    const departments = new Map([[id(12), { id: id(12), name: 'Gdańsk', costCenter: null }]]);
    expect(detailsOf({ ...directory, departments, staff: [łukasz, bernd] })).toEqual({
      export_format: [
        '"Łukasz" (first-name of employee 0042) has characters that windows-1252 cannot encode.',
        '"Gdańsk" (department of employee 7) has characters that windows-1252 cannot encode.',
      ],
    });
  });

  it('does not mind columns that are not chosen and staff not employed in the period', () => {
    expect(detailsOf({ ...directory, staff: [{ ...anna, lastName: 'Łoś' }] })).toBe(1);
    expect(detailsOf({ ...directory, staff: [{ ...łukasz, leftOn: day('2026-03-31') }] })).toBe(1);
    expect(detailsOf({ ...directory, staff: [{ ...łukasz, hiredOn: day('2026-04-08') }] })).toBe(1);
  });

  it.each([
    ['rows of 0 are written', { skip_zero_rows: 'false' }, unfit],
    ['an account of working time stays', { types: 'overtime-account:hours' }, 1],
    ['a vacation account stays', { types: 'work-time:hours|vacation-granted:days' }, 1],
  ])('minds staff who left before the period where %s, and who comes after it only for rows of 0', (_, parameters, ofOthers) => {
    expect(detailsOf({ ...directory, staff: [{ ...łukasz, leftOn: day('2026-03-31') }] }, parameters)).toEqual(unfit);
    expect(detailsOf({ ...directory, staff: [{ ...łukasz, hiredOn: day('2026-04-08') }] }, parameters)).toEqual(ofOthers);
  });

  it('reports the label of an absence type that rows of its totals show', () => {
    const absenceTypes = [{ value: 'course', label: 'Kurs → extern', category: 'education', credited: true } as const];
    const known = { ...directory, institution: { ...directory.institution, absenceTypes }, staff: [anna] };
    const labels = { types: 'course:days', columns: 'absence-label|comment|date|start|break|value' };
    expect(detailsOf(known, labels)).toEqual({
      export_format: ['"Kurs → extern" (absence-label of employee 0042) has characters that windows-1252 cannot encode.'],
    });
    expect(detailsOf(known, { ...labels, types: 'absence:days' })).toBe(1);
    expect(detailsOf(known, { ...labels, columns: 'absence-type|absence-label:max>4|value' })).toBe(1);
  });
});
