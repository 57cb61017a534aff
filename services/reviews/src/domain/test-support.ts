import { holidayCalendar, lastDayOfMonth, firstDayOfMonth, parseLocalDate, parseLocalDateTime } from '@stechuhr/worktime';
import type { Absence, Contract, EpochDay, EpochSecond, Timespan, YearMonth } from '@stechuhr/worktime';
import type { Check, Found } from './check.js';
import type { CustomOptions } from './options.js';
import { prepareSubject, type Moment, type SubjectRecords } from './prepare-subject.js';
import type { Application, Edit } from './subject.js';

export type RecordedWorkday = SubjectRecords['workdays'][number];

export function day(text: string): EpochDay {
  const found = parseLocalDate(text);
  if (found === undefined) throw new Error(`${text} is no date.`);
  return found;
}

/** Parses a local time. In the repeated hour of October, a trailing `*` means the second occurrence. */
export function at(text: string): EpochSecond {
  const parsed = parseLocalDateTime(text.replace('*', ''));
  if (parsed.kind !== 'ok') throw new Error(`${text} is no local time.`);
  return text.endsWith('*') ? (parsed.second ?? parsed.instant) : parsed.instant;
}

/** Parses a time on a date: `08:00`, `08:00:30` or a complete local time. */
function on(date: string, time: string): EpochSecond {
  return at(time.includes('T') ? time : `${date}T${time}`);
}

type Span = readonly [from: string, to: string | null];

interface WorkdayFields {
  readonly id?: string;
  readonly work?: readonly Span[];
  readonly breaks?: readonly Span[];
  readonly edits?: readonly Edit[];
}

/** Creates a workday. Times without a date are on its date. Without an end it is open. By default the id is derived from the start. */
export function workday(date: string, from: string, to: string | null, fields: WorkdayFields = {}): RecordedWorkday {
  const id = fields.id ?? `${date}T${from}`;
  const timespan =
    (type: Timespan['type']) =>
    ([start, end]: Span): Timespan => ({
      id: `${type} ${start}`,
      type,
      startedAt: on(date, start),
      endedAt: end === null ? null : on(date, end),
      projectId: null,
      comment: null,
    });
  return {
    id,
    date: day(date),
    startedAt: on(date, from),
    endedAt: to === null ? null : on(date, to),
    timespans: [...(fields.work ?? []).map(timespan('work')), ...(fields.breaks ?? []).map(timespan('break'))],
    edits: fields.edits ?? [],
  };
}

/** A contract for eight hours from Monday to Friday, without an end. */
export function contract(fields: Partial<Contract> = {}): Contract {
  return {
    id: 'contract',
    validFrom: day('2020-01-01'),
    validTo: null,
    plannedMinutes: [480, 480, 480, 480, 480, 0, 0],
    overtimeMinHours: null,
    overtimeMaxHours: null,
    ...fields,
  };
}

export function absence(from: string, to: string, fields: Partial<Absence> = {}): Absence {
  return { id: 'absence', missingType: 'vacation', startsOn: day(from), endsOn: day(to), dayPart: 1, hoursPerDay: null, ...fields };
}

export function application(from: string, to: string, fields: Partial<Application> = {}): Application {
  return { id: 'application', startsOn: day(from), endsOn: day(to), isPending: true, ...fields };
}

/** An employee in Bavaria since 2020 with a contract and no other records. */
export function records(fields: Partial<SubjectRecords> = {}): SubjectRecords {
  return {
    employeeId: 'employee',
    workmonthId: 'workmonth',
    workdays: [],
    terms: { employment: { hiredOn: day('2020-01-01'), leftOn: null }, contracts: [contract()], holidays: holidayCalendar('DE-BY') },
    absences: [],
    absenceTypes: [
      { value: 'vacation', label: 'Urlaub', category: 'vacation', credited: true },
      { value: 'unpaid', label: 'Unbezahlt', category: 'other', credited: false },
    ],
    applications: [],
    account: undefined,
    ...fields,
  };
}

/** By default, May 2026 reviewed in July. */
export function moment(month: YearMonth = { year: 2026, month: 5 }, now = '2026-07-01T12:00:00'): Moment {
  return { month: { first: firstDayOfMonth(month), last: lastDayOfMonth(month) }, now: at(now) };
}

interface FindOptions {
  readonly moment?: Moment;
  readonly options?: CustomOptions;
}

/** Runs a check and returns its findings. */
export function find(check: Check, subject: Partial<SubjectRecords>, options: FindOptions = {}): readonly Found[] {
  return check.finder(options.options ?? {})(prepareSubject(records(subject), options.moment ?? moment()));
}

/** Like `find`, for an employee with only these workdays. */
export function findIn(check: Check, workdays: readonly RecordedWorkday[], options: FindOptions = {}): readonly Found[] {
  return find(check, { workdays }, options);
}
