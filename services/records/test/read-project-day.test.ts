import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@stechuhr/kernel';
import {
  buildDeletion,
  buildDepartment,
  buildEmployee,
  buildInstitution,
  buildProject,
  buildTimespan,
  buildWorkday,
  testServers,
  type TestServers,
} from '@stechuhr/testing';
import { parseLocalDate } from '@stechuhr/worktime';
import { startRecords, type RunningRecords } from './support/running-records.js';

let servers: TestServers;
let records: RunningRecords;

const institution = buildInstitution();
const ids = { institution_id: institution.id };
const here = { institutionId: institution.id };
const department = buildDepartment(ids);
const [roof, wall] = [buildProject(ids), buildProject(ids)];

/** A shift on a project with one timespan. Its date is that of its start unless given. */
function shift(start: string, end: string | null, given: { project?: string | null; employee?: string; date?: string } = {}) {
  const employee = buildEmployee(ids);
  const times = { started_at: `${start}:00`, ended_at: end && `${end}:00` };
  const timespans = [buildTimespan({ ...times, project_id: given.project === undefined ? roof.id : given.project })];
  const employee_id = given.employee ?? employee.id;
  const workday = buildWorkday({ ...ids, employee_id, date: given.date ?? start.slice(0, 10), ...times, timespans });
  return { employee, workday, lines: given.employee === undefined ? [employee, workday] : [workday] };
}

const day = (text: string) => parseLocalDate(text) ?? Number.NaN;
const shifts = {
  inTheMiddle: shift('2026-03-10T08:00', '2026-03-10T16:00'),
  fromTheDayBefore: shift('2026-03-09T22:00', '2026-03-10T06:00'),
  untilTheDayAfter: shift('2026-03-10T22:00', '2026-03-11T06:00'),
  overSeveralDays: shift('2026-02-20T08:00', '2026-03-20T08:00'),
  stillOpen: shift('2026-03-09T08:00', null),
  endsAtMidnight: shift('2026-03-09T16:00', '2026-03-10T00:00'),
  startsAtNextMidnight: shift('2026-03-11T00:00', '2026-03-11T08:00'),
  elsewhere: shift('2026-03-10T08:00', '2026-03-10T16:00', { project: wall.id }),
  nowhere: shift('2026-03-10T08:00', '2026-03-10T16:00', { project: null }),
  datedTheDayAfter: shift('2026-03-31T22:00', '2026-04-01T06:00', { date: '2026-04-01' }),
  overTheMonthsEnd: shift('2026-02-28T22:00', '2026-03-01T06:00'),
  overNewYear: shift('2025-12-31T22:00', '2026-01-01T06:00'),
  aYearEarlier: shift('2025-01-01T08:00', '2025-01-01T16:00'),
};
type Shift = keyof typeof shifts;

beforeAll(async () => {
  servers = await testServers();
  records = await startRecords(servers);
  const { rejected } = await records.importLines(
    institution,
    department,
    roof,
    wall,
    ...Object.values(shifts).flatMap(({ lines }) => lines),
  );
  expect(rejected).toEqual([]);
});
afterAll(async () => {
  await records.stop();
  await servers.stop();
});

const expected = (...names: Shift[]) =>
  names.map((name) => [shifts[name].employee.id, [shifts[name].workday.id]]).sort(([a = ''], [b = '']) => (a < b ? -1 : 1));

describe('readProjectDay', () => {
  it.each<[string, Shift[]]>([
    ['2026-03-10', ['inTheMiddle', 'fromTheDayBefore', 'untilTheDayAfter', 'overSeveralDays', 'stillOpen']],
    ['2026-03-11', ['untilTheDayAfter', 'overSeveralDays', 'stillOpen', 'startsAtNextMidnight']],
    ['2026-03-31', ['datedTheDayAfter', 'stillOpen']],
    ['2026-02-28', ['overTheMonthsEnd', 'overSeveralDays']],
    ['2026-03-01', ['overTheMonthsEnd', 'overSeveralDays']],
    ['2026-01-01', ['overNewYear']],
    ['2025-12-31', ['overNewYear']],
    ['2025-01-01', ['aYearEarlier']],
    ['2026-05-20', []],
  ])('answers whose shifts on the project touch %s, by id', async (date, names) => {
    expect(await records.projectDay(here, roof.id, day(date))).toEqual(expected(...names));
  });

  it('returns complete workdays of the day, and none of other days', async () => {
    const employee = buildEmployee(ids);
    const site = buildProject(ids);
    const of = { project: site.id, employee: employee.id };
    const [early, late, other] = [
      shift('2026-06-10T06:00', '2026-06-10T08:00', of),
      shift('2026-06-10T18:00', '2026-06-11T02:00', of),
      shift('2026-06-09T08:00', '2026-06-09T16:00', of),
    ];
    await records.importLines(employee, site, late.workday, other.workday, early.workday);
    expect(await records.projectDay(here, site.id.toUpperCase(), day('2026-06-10'))).toEqual([
      [employee.id, [early.workday.id, late.workday.id]],
    ]);
  });

  it('includes all employees, also those whom the caller may not see', async () => {
    const everybody = await records.projectDay(here, roof.id, day('2026-03-10'));
    expect(await records.projectDay({ ...here, departmentIds: [department.id] }, roof.id, day('2026-03-10'))).toEqual(everybody);
  });

  it('returns nothing for a project that the caller may not see', async () => {
    const on = day('2026-03-10');
    expect(await records.projectDay({ ...here, projectIds: [wall.id] }, roof.id, on)).toEqual([]);
    expect(await records.projectDay({ ...here, projectIds: [wall.id] }, wall.id, on)).toEqual(expected('elsewhere'));
    expect(await records.projectDay({ institutionId: newId() }, roof.id, on)).toEqual([]);
    expect(await records.projectDay(here, newId(), on)).toEqual([]);
    await expect(records.projectDay(here, 'roof', on)).rejects.toMatchObject({ code: 'invalid' });
    // The day after 9999-12-31.
    await expect(records.projectDay(here, roof.id, 2_932_897)).rejects.toMatchObject({ details: { day: [expect.any(String)] } });
  });

  it('leaves out time that was moved to another project or deleted with its employee', async () => {
    const site = buildProject(ids);
    const [moved, gone] = [
      shift('2026-03-10T08:00', '2026-03-10T16:00', { project: site.id }),
      shift('2026-03-10T08:00', '2026-03-10T16:00', { project: site.id }),
    ];
    await records.importLines(site, ...moved.lines, ...gone.lines);
    expect(await records.projectDay(here, site.id, day('2026-03-10'))).toHaveLength(2);
    const timespans = moved.workday.timespans.map((timespan) => ({ ...timespan, project_id: wall.id }));
    await records.importLines({ ...moved.workday, timespans }, buildDeletion(gone.employee));
    expect(await records.projectDay(here, site.id, day('2026-03-10'))).toEqual([]);
  });

  it('returns many employees in several slices, each one once', async () => {
    const site = buildProject(ids);
    const many = Array.from({ length: 230 }, () => shift('2026-03-10T08:00', '2026-03-10T16:00', { project: site.id }));
    await records.importLines(site, ...many.flatMap(({ lines }) => lines));
    const found = await records.projectDay(here, site.id, day('2026-03-10'));
    expect(found.map(([employeeId]) => employeeId)).toEqual(many.map(({ employee }) => employee.id).sort());
  });
});
