import { describe, expect, it } from '@jest/globals';
import { addDays, formatLocalDate, parseLocalDate, parseLocalDateTime, resolveInterval, type EpochDay } from '@stechuhr/worktime';
import { createFirm } from './firm.js';
import { generateDemo, type DemoOptions } from './generate.js';
import { personAt } from './people.js';
import type { DemoRecord, TimespanRecord, WorkdayRecord } from './records.js';

const TODAY = dayOf('2026-11-19');
const DEFAULTS: DemoOptions = { seed: 'stechuhr', employees: 25, months: 4, today: TODAY, hasStarted: true };

function dayOf(text: string): EpochDay {
  const day = parseLocalDate(text);
  if (day === undefined) throw new Error(`${text} is no date.`);
  return day;
}

function generate(options: Partial<DemoOptions> = {}): readonly DemoRecord[] {
  return [...generateDemo({ ...DEFAULTS, ...options }).records];
}

function ofKind<K extends DemoRecord['kind']>(records: readonly DemoRecord[], kind: K): readonly Extract<DemoRecord, { kind: K }>[] {
  return records.filter((record): record is Extract<DemoRecord, { kind: K }> => record.kind === kind);
}

function jsonById(records: readonly DemoRecord[]): ReadonlyMap<string, string> {
  return new Map(records.map((record) => [`${record.kind} ${record.id}`, JSON.stringify(record)]));
}

/** Returns the seconds between two local times; fails if one does not exist. */
function elapsed(start: string, end: string): number {
  const [from, to] = [parseLocalDateTime(start), parseLocalDateTime(end)];
  if (from.kind !== 'ok' || to.kind !== 'ok') throw new Error(`${start} or ${end} does not exist.`);
  const interval = resolveInterval(from, to);
  return interval.end - interval.start;
}

function netHours(workday: WorkdayRecord): number {
  const breaks = workday.timespans.filter(({ type }) => type === 'break');
  const paused = breaks.reduce((sum, { started_at, ended_at }) => sum + elapsed(started_at, ended_at ?? started_at), 0);
  return workday.ended_at === null ? 0 : (elapsed(workday.started_at, workday.ended_at) - paused) / 3600;
}

describe('generateDemo repeated', () => {
  const now = generate();

  it('generates the same bytes for the same seed and day', () => {
    expect(JSON.stringify(generate())).toBe(JSON.stringify(now));
  });

  it('generates a different company for a different seed', () => {
    const ids = new Set(now.map(({ id }) => id));
    expect(generate({ seed: 'other' }).some(({ id }) => ids.has(id))).toBe(false);
  });

  it('keeps tracked time in later runs, also in later months', () => {
    for (const days of [1, 45]) {
      const later = jsonById(generate({ today: addDays(TODAY, days), months: 6 }));
      const kept = now.filter((record) => record.kind === 'workday' && record.ended_at !== null && record.edits.length === 0);
      const months = now.filter(({ kind }) => kind === 'workmonth');
      const changed = [...kept, ...months].filter((record) => {
        const again = later.get(`${record.kind} ${record.id}`);
        return again !== undefined && again.replace(/"edits":\[.*\]/u, '"edits":[]') !== JSON.stringify(record);
      });
      const missing = [...kept, ...months].filter((record) => !later.has(`${record.kind} ${record.id}`));
      expect(changed).toEqual([]);
      // In March, July and November, temporary helpers change, and those before the last two are no longer listed.
      expect(new Set(missing.map((record) => ('employee_id' in record ? record.employee_id : ''))).size).toBeLessThanOrEqual(1);
    }
  });

  it('keeps the first employees if more are generated', () => {
    const many = jsonById(generate({ employees: 60 }));
    const missing = now.filter((record) => many.get(`${record.kind} ${record.id}`) !== JSON.stringify(record));
    expect(missing).toEqual([]);
  });
});

function isInside(workday: WorkdayRecord, { started_at, ended_at }: TimespanRecord): boolean {
  if (elapsed(workday.started_at, started_at) < 0) return false;
  if (ended_at === null) return workday.ended_at === null;
  return elapsed(started_at, ended_at) >= 0 && (workday.ended_at === null || elapsed(ended_at, workday.ended_at) >= 0);
}

describe.each([
  ['the default organization', {}],
  ['a larger organization over both clock changes', { employees: 60, months: 14 }],
  ['an organization with a single employee', { employees: 1, months: 1 }],
  ['an organization on New Year’s Day before work begins', { today: dayOf('2027-01-01'), hasStarted: false, seed: 'x' }],
  ['an organization on the last day of February', { today: dayOf('2028-02-29'), seed: 'y', employees: 50 }],
] satisfies [string, Partial<DemoOptions>][])('%s', (_name, options) => {
  const asOf = { ...DEFAULTS, ...options };
  const records = generate(options);
  const workdays = ofKind(records, 'workday');

  it('has unique ids', () => {
    const ids = records.flatMap((record) => [record.id, ...(record.kind === 'workday' ? record.timespans.map(({ id }) => id) : [])]);
    expect(new Set(ids).size).toBe(ids.length);
    const numbers = ofKind(records, 'employee').map(({ number }) => number);
    expect(new Set(numbers).size).toBe(numbers.length);
    const accounting = ofKind(records, 'employee').flatMap(({ accounting_number }) => accounting_number ?? []);
    expect(new Set(accounting).size).toBe(accounting.length);
  });

  it('references only records that it contains', () => {
    const known = new Set(records.map(({ kind, id }) => `${kind} ${id}`));
    const types = new Set(ofKind(records, 'institution').flatMap(({ absence_types }) => absence_types.map(({ value }) => value)));
    const dangling = records.flatMap((record) => referencesOf(record).filter((reference) => !known.has(reference)));
    expect(dangling).toEqual([]);
    for (const { missing_type } of [...ofKind(records, 'absence'), ...ofKind(records, 'absence_application')])
      expect(types).toContain(missing_type);
  });

  it('has valid local times, no reversed intervals, timespans inside their workday, and nothing after today', () => {
    const today = formatLocalDate(asOf.today);
    const wrong = workdays.filter((workday) => {
      const { date, started_at, ended_at, timespans } = workday;
      const isPast = date <= today && (ended_at ?? '') <= `${today}T12`;
      const isForwards = ended_at === null || elapsed(started_at, ended_at) > 0;
      return !isPast || !isForwards || !timespans.every((timespan) => isInside(workday, timespan));
    });
    expect(wrong).toEqual([]);
  });

  it('has no work during absences or outside of employment', () => {
    const absent = new Set(
      ofKind(records, 'absence')
        .filter(({ day_part }) => day_part === 1)
        .flatMap(({ employee_id, starts_on, ends_on }) => datesOf(starts_on, ends_on).map((date) => `${employee_id} ${date}`)),
    );
    const employees = new Map(ofKind(records, 'employee').map((employee) => [employee.id, employee]));
    const wrong = workdays.filter(({ employee_id, date }) => {
      const employee = employees.get(employee_id);
      const isEmployed = employee !== undefined && employee.hired_on <= date && date <= (employee.left_on ?? date);
      return !isEmployed || absent.has(`${employee_id} ${date}`);
    });
    expect(wrong).toEqual([]);
  });
});

function datesOf(first: string, last: string): readonly string[] {
  const dates: string[] = [];
  for (let day = dayOf(first); day <= dayOf(last); day = addDays(day, 1)) dates.push(formatLocalDate(day));
  return dates;
}

function referencesOf(record: DemoRecord): readonly string[] {
  const references = 'employee_id' in record ? [`employee ${record.employee_id}`] : [];
  if (record.kind === 'workday')
    references.push(...record.timespans.flatMap(({ project_id }) => (project_id === null ? [] : `project ${project_id}`)));
  if (record.kind === 'account') {
    references.push(...record.department_ids.map((id) => `department ${id}`), ...(record.project_ids ?? []).map((id) => `project ${id}`));
  }
  if (record.kind === 'employee') {
    if (record.account_id !== null) references.push(`account ${record.account_id}`);
    if (record.department_id !== null) references.push(`department ${record.department_id}`);
  }
  return [...references, `institution ${record.institution_id}`];
}

describe('the default organization', () => {
  const records = generate();
  const employees = ofKind(records, 'employee');
  const workdays = ofKind(records, 'workday');

  it('has 25 employees in 3 departments, 6 projects and 4 months before the current one', () => {
    expect(employees).toHaveLength(25);
    expect(ofKind(records, 'department').map(({ name }) => name)).toEqual(['Verwaltung', 'Hochbau', 'Tiefbau']);
    expect(ofKind(records, 'project').map(({ archived }) => archived)).toEqual([false, false, false, false, false, true]);
    expect(ofKind(records, 'project').filter(({ daily_reports_enabled }) => daily_reports_enabled)).toHaveLength(4);
    expect(new Set(ofKind(records, 'workmonth').map(({ month }) => month))).toEqual(new Set([7, 8, 9, 10, 11]));
  });

  it('has an administrator, whose account the demo token uses, a manager, and leaders with one department each', () => {
    const accounts = ofKind(records, 'account');
    expect(accounts.find(({ role }) => role === 'admin')?.id).toBe(generateDemo(DEFAULTS).accountId);
    expect(accounts.some(({ role }) => role === 'manager')).toBe(true);
    const leaders = accounts.filter(({ role }) => role === 'department_leader');
    expect(leaders.map(({ department_ids }) => department_ids.length)).toEqual([1, 1, 1, 1]);
    expect(leaders.filter(({ project_ids }) => project_ids !== null)).toHaveLength(1);
  });

  it('has an employee who left, one who is archived, and one without accounting number', () => {
    expect(employees.filter(({ left_on, archived_on }) => left_on !== null && archived_on === null)).toHaveLength(1);
    expect(employees.filter(({ archived_on }) => archived_on !== null)).toHaveLength(1);
    expect(employees.filter(({ accounting_number }) => accounting_number === null)).toHaveLength(1);
  });

  it('has names of various origins', () => {
    const names = employees.map(({ first_name, last_name }) => `${first_name} ${last_name}`);
    expect(names).toEqual(expect.arrayContaining(['Łukasz Kowalczyk', 'Mehmet Yılmaz', "Patrick O'Brien", 'Jürgen Müller']));
  });

  it('has applications in every status, half days, school days, and time off that is not credited', () => {
    expect(new Set(ofKind(records, 'absence_application').map(({ status }) => status))).toEqual(
      new Set(['pending', 'approved', 'declined']),
    );
    const absences = ofKind(records, 'absence');
    expect(new Set(absences.map(({ day_part }) => day_part))).toEqual(new Set([1, 0.5]));
    const types = new Set(absences.map(({ missing_type }) => missing_type));
    expect([...types]).toEqual(expect.arrayContaining(['vacation', 'sick', 'vocational-school', 'time-off']));
  });

  it('has a contract that changes in the middle of a generated month', () => {
    const changes = ofKind(records, 'contract').filter(({ valid_from }) => valid_from.endsWith('-16') && valid_from >= '2026-07-01');
    expect(changes.length).toBeGreaterThanOrEqual(1);
  });

  it('has plausible days: about eight hours, occasional nights, few violations', () => {
    const closed = workdays.filter(({ ended_at, timespans }) => ended_at !== null && timespans.length >= 3);
    const nets = closed.map(netHours);
    const mean = nets.reduce((sum, hours) => sum + hours, 0) / nets.length;
    expect(mean).toBeGreaterThan(7);
    expect(mean).toBeLessThan(9);
    const nights = workdays.filter(({ started_at, ended_at }) => ended_at !== null && ended_at.slice(0, 10) > started_at.slice(0, 10));
    expect(nights.length).toBeGreaterThan(3);
    expect(nights.length).toBeLessThan(workdays.length / 20);
    const tooLong = nets.filter((hours) => hours > 10).length;
    expect(tooLong).toBeGreaterThan(2);
    expect(tooLong).toBeLessThan(workdays.length / 40);
  });

  it('has open workdays today, but none before the morning has begun', () => {
    const isToday = ({ date }: WorkdayRecord): boolean => date === '2026-11-19';
    const open = workdays.filter(isToday);
    expect(open.length).toBeGreaterThan(8);
    expect(open.every(({ ended_at, timespans }) => ended_at === null && timespans.length === 1)).toBe(true);
    expect(ofKind(generate({ hasStarted: false }), 'workday').filter(isToday)).toEqual([]);
  });
});

describe('a large organization', () => {
  it('has about 250 workdays per employee and year', () => {
    const workdays = ofKind(generate({ employees: 100, months: 12 }), 'workday');
    expect(Math.abs(workdays.length - 25_000)).toBeLessThan(1_500);
  });

  it('has hardly any duplicate names among 1,000 people', () => {
    const names = Array.from({ length: 1000 }, (_, index) => personAt(createFirm('stechuhr'), index, TODAY).name);
    expect(new Set(names.map(({ first, last }) => `${first} ${last}`)).size).toBeGreaterThan(900);
  });
});
