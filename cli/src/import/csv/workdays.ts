import { uuidV5 } from '@stechuhr/kernel';
import { formatLocalDateTime, instantAt, parseLocalDate, startOfLocalDay } from '@stechuhr/worktime';
import {
  formatPoint,
  readDate,
  readDuration,
  readPoint,
  readRemark,
  readText,
  readTime,
  secondsBetween,
  type LocalPoint,
} from './cells.js';
import type { Directory, StoredEmployee } from './directory.js';
import { endsAfterClocksGoBack, localBreak, localInterval, isReadAs, resolvedInterval, type LocalInterval } from './local-intervals.js';
import type { WorkdayMapping } from './mapping.js';
import { uniqueRecord } from './named.js';
import { lineAt, type Convert, type RowPlace, type RowReader } from './row-reader.js';

const DAY_SECONDS = 86_400;
const ANY_DATE = '2000-01-01';

/** A shift and its break, in local time. */
interface Shift extends LocalInterval {
  readonly pause: LocalInterval | undefined;
}

interface Context {
  readonly mapping: WorkdayMapping;
  /** For each employee and date: the instant at which the next row without a begin starts, and the number of rows. */
  readonly days: Map<string, { readonly end: number; readonly rows: number }>;
}

/**
 * Converts rows of hours to one workday each. The id is derived from the employee and the key of the row. Without a key, the begin of the shift is
 * used, or for files that contain hours only the position among the rows of the day. Importing the same file again therefore changes nothing.
 */
export function workdayRows(mapping: WorkdayMapping, directory: Directory): Convert {
  const context: Context = { mapping, days: new Map() };
  const places = new Map<string, RowPlace>();
  const { institution_id } = mapping;
  return ({ file, line }, cells) => {
    const row = readRow(cells, context, directory);
    if (row === undefined) return { id: null, problems: cells.problems };
    const { employee, date, shift, project, comment, key } = row;
    const id = uuidV5(institution_id, `csv/workday/${employee.id}/${row.name}`);
    const before = places.get(id);
    if (before !== undefined) {
      const same = key === undefined ? 'begins at the same time as that of' : 'has the same key as that of';
      return { id, problems: [`The shift ${same} ${lineAt(before, file)} of the same employee.`] };
    }
    places.set(id, { file, line });
    const timespans = timespansOf(id, shift, { project_id: project?.id ?? null, comment: comment ?? null });
    const { started_at, ended_at } = shift;
    return { id, record: { kind: 'workday', institution_id, id, employee_id: employee.id, date, started_at, ended_at, timespans } };
  };
}

/**
 * Reads a row.
 * @returns undefined if it has problems, which the reader has collected
 */
function readRow(cells: RowReader, context: Context, directory: Directory) {
  const { columns, formats } = context.mapping;
  const employee = employeeOf(cells, directory);
  const date = cells.required('date', (text) => readDate(text, formats.date));
  const project = cells.optional('project', (code) => uniqueRecord(directory.projects, code, { one: 'code', many: 'projects' }));
  const comment = cells.optional('comment', readRemark);
  const key = columns.key === undefined ? undefined : cells.required('key', readText);
  const day = `${employee?.id ?? ''}/${date ?? ''}`;
  // Without a valid date, a placeholder is used so that problems of the other cells are reported too.
  const shift = shiftOf(cells, context, { date: date ?? ANY_DATE, day });
  if (employee === undefined || date === undefined || shift === undefined || cells.problems.length > 0) return undefined;
  const rowOfDay = columns.duration === undefined ? undefined : context.days.get(day)?.rows;
  return { employee, date, project, comment, key, shift, name: nameOf(key, date, shift, rowOfDay) };
}

/** What distinguishes a row from the others of its employee: its key, otherwise its position among the rows of the day, otherwise its begin. */
function nameOf(key: string | undefined, date: string, { started_at }: Shift, rowOfDay: number | undefined): string {
  if (key !== undefined) return `key/${key}`;
  return rowOfDay === undefined ? started_at : `${date}/${String(rowOfDay)}`;
}

function employeeOf(cells: RowReader, directory: Directory): StoredEmployee | undefined {
  const [field, names, one] = cells.has('employee_number')
    ? (['employee_number', directory.employeesByNumber, 'personnel number'] as const)
    : (['accounting_number', directory.employeesByAccountingNumber, 'accounting number'] as const);
  return cells.required(field, (number) => uniqueRecord(names, number, { one, many: 'employees' }));
}

interface Place {
  readonly date: string;
  /** Employee and date. */
  readonly day: string;
}

function shiftOf(cells: RowReader, context: Context, place: Place): Shift | undefined {
  return cells.has('duration') ? shiftOfDuration(cells, context, place) : shiftOfTimes(cells, context, place);
}

function breakOf(cells: RowReader, { formats }: WorkdayMapping): number {
  return cells.optional('break', (text) => readDuration(text, { format: formats.break, decimal: formats.decimal })) ?? 0;
}

function shiftOfDuration(cells: RowReader, { mapping, days }: Context, { date, day }: Place): Shift | undefined {
  const { formats, day_begins } = mapping;
  const worked = cells.required('duration', (text) => readDuration(text, { format: formats.duration, decimal: formats.decimal }));
  const pause = breakOf(cells, mapping);
  const localDay = parseLocalDate(date) ?? 0;
  const { end: from, rows } = days.get(day) ?? { end: instantAt(localDay, readTime(day_begins)), rows: 0 };
  // A row that is rejected has its position too, so that the rows after it keep their ids.
  days.set(day, { end: from, rows: rows + 1 });
  if (worked === undefined) return undefined;
  const to = from + worked + pause;
  const shift = localInterval(from, to);
  if (to > startOfLocalDay(localDay + 1)) {
    cells.wrong('duration', `extends beyond the end of the day: the shift begins at ${shift.started_at.slice(11, 16)}`);
    return undefined;
  }
  if (!isReadAs(shift, from, to)) {
    cells.wrong('duration', 'extends into the hour that is repeated when the clocks go back: give begin and end instead');
    return undefined;
  }
  days.set(day, { end: to, rows: rows + 1 });
  return { ...shift, pause: inTheMiddle(cells, shift, pause) };
}

function shiftOfTimes(cells: RowReader, { mapping }: Context, { date }: Place): Shift | undefined {
  const read = (text: string) => readPoint(text, date, mapping.formats.date);
  const begin = cells.required('begin', read);
  const end = cells.required('end', read);
  if (begin === undefined || end === undefined) return undefined;
  const between = secondsBetween(begin, end);
  const written = { started_at: formatPoint(begin), ended_at: formatPoint(end) };
  if (between < 0 && endsAfterClocksGoBack(written)) {
    if (end.isDated) return withBreak(cells, mapping, { shift: written, clock: clockGoingBack(begin, written) });
    // It could also end on the next day, but 24 hours later is less likely than within the hour.
    cells.wrong('end', 'is before the begin, in the hour that is repeated when the clocks go back: write it with its date');
    return undefined;
  }
  const seconds = between < 0 && !end.isDated ? between + DAY_SECONDS : between;
  if (seconds <= 0) {
    cells.wrong('end', 'is not after the begin');
    return undefined;
  }
  const clock = clockOf(begin, seconds);
  return withBreak(cells, mapping, { shift: { started_at: clock.at(0), ended_at: clock.at(seconds) }, clock });
}

interface Timed {
  readonly shift: LocalInterval;
  readonly clock: Clock;
}

function withBreak(cells: RowReader, mapping: WorkdayMapping, { shift, clock }: Timed): Shift {
  return { ...shift, pause: cells.has('break_begin') ? recordedBreak(cells, clock) : inTheMiddle(cells, shift, breakOf(cells, mapping)) };
}

/** The times of day during a shift. */
interface Clock {
  /** Seconds from the begin of the shift until a time of day. */
  readonly until: (secondsOfDay: number) => number;
  /** The local time so many seconds after the begin of the shift. */
  readonly at: (after: number) => string;
  /** Whether the times so many seconds after the begin are the begin and the end of an interval within the shift. */
  readonly contains: (from: number, to: number) => boolean;
}

function clockOf(begin: LocalPoint, seconds: number): Clock {
  const at = (after: number) => formatPoint({ date: begin.date, seconds: begin.seconds + after });
  return {
    // A time before the begin of the shift belongs to the next day.
    until: (secondsOfDay) => (((secondsOfDay - begin.seconds) % DAY_SECONDS) + DAY_SECONDS) % DAY_SECONDS,
    at,
    contains: (from, to) => to <= seconds && (to >= from || endsAfterClocksGoBack({ started_at: at(from), ended_at: at(to) })),
  };
}

/** For a shift within the repeated hour: it begins in the first one and ends in the second one, so the time that passes has to be counted. */
function clockGoingBack(begin: LocalPoint, { started_at, ended_at }: LocalInterval): Clock {
  const passed = (text: string) => {
    const read = resolvedInterval({ started_at, ended_at: text });
    return read === undefined ? -1 : read.end - read.start;
  };
  const start = resolvedInterval({ started_at, ended_at })?.start ?? 0;
  return {
    until: (seconds) => passed(formatPoint({ date: begin.date, seconds })),
    at: (after) => formatLocalDateTime(start + after),
    contains: (from, to) => from >= 0 && from <= to && to <= passed(ended_at),
  };
}

function recordedBreak(cells: RowReader, { until, at, contains }: Clock): LocalInterval | undefined {
  const read = (text: string) => until(readTime(text));
  const from = cells.optional('break_begin', read);
  const to = cells.optional('break_end', read);
  if (from === null && to === null) return undefined;
  if (from === null) cells.required('break_begin', read);
  if (to === null) cells.required('break_end', read);
  if (typeof from !== 'number' || typeof to !== 'number') return undefined;
  if (!contains(from, to)) cells.wrong('break_end', 'is not between the begin of the break and the end of the shift');
  return { started_at: at(from), ended_at: at(to) };
}

function inTheMiddle(cells: RowReader, shift: LocalInterval, seconds: number): LocalInterval | undefined {
  const bounds = seconds === 0 ? undefined : resolvedInterval(shift);
  // The service rejects a shift whose times do not exist, regardless of its break.
  if (bounds === undefined) return undefined;
  if (seconds > bounds.end - bounds.start) {
    cells.wrong('break', 'is longer than the shift');
    return undefined;
  }
  const pause = localBreak(bounds, seconds);
  if (pause === undefined) cells.wrong('break', 'does not fit before or after the hour that is repeated when the clocks go back');
  return pause;
}

interface Work {
  readonly project_id: string | null;
  readonly comment: string | null;
}

function timespansOf(id: string, { started_at, ended_at, pause }: Shift, work: Work) {
  const whole = { id: uuidV5(id, 'work'), type: 'work', started_at, ended_at, ...work };
  return pause === undefined ? [whole] : [whole, { id: uuidV5(id, 'break'), type: 'break', ...pause }];
}
