import {
  addDays,
  lastDayOfMonth,
  formatLocalDate,
  formatLocalDateTime,
  instantAt,
  localDayOf,
  monthKey,
  monthOf,
  type EpochDay,
} from '@stechuhr/worktime';
import { idOf } from './firm.js';
import type { PlannedDay } from './month-plan.js';
import { createRandom, type Random } from './random.js';
import type { EditRecord, WorkdayRecord } from './records.js';
import { shiftsOf, type Shift } from './shifts.js';
import { piecesOf, timespansOf, type Worker } from './timespans.js';

/** The current time of a run; everything later has not happened yet. */
export interface AsOf {
  readonly today: EpochDay;
  /** Whether the early shifts of today have begun; before that, today has no records. */
  readonly hasStarted: boolean;
}

/** The input for the workdays of a person. */
export interface WorkdaySource extends Worker {
  readonly employeeId: string;
  readonly asOf: AsOf;
}

/** One of the shifts of a date. */
interface Numbered {
  readonly shift: Shift;
  readonly index: number;
  readonly isLast: boolean;
}

/** Minutes after midnight that a run assumes as the current time of today; later shifts have not begun. */
const HERE_BY = 7 * 60 + 55;

/** Returns the workday records of a planned day, as far as they have happened. */
export function workdayRecords(source: WorkdaySource, planned: PlannedDay): readonly WorkdayRecord[] {
  const { firm, person, asOf } = source;
  if (planned.day > asOf.today || (planned.day === asOf.today && !asOf.hasStarted)) return [];
  const shifts = shiftsOf(firm, person, planned);
  if (planned.day < asOf.today) {
    return shifts.map((shift, index) => trackedShift(source, planned, { shift, index, isLast: index === shifts.length - 1 }));
  }
  return shifts.slice(0, 1).flatMap((shift) => (shift.startMinute <= HERE_BY ? [runningShift(source, planned, shift)] : []));
}

function trackedShift(source: WorkdaySource, planned: PlannedDay, { shift, index, isLast }: Numbered): WorkdayRecord {
  const { asOf, firm, person } = source;
  const pieces = piecesOf(planned.day, shift);
  const [begin, end] = [pieces[0]?.startsAt ?? 0, pieces.at(-1)?.endsAt ?? 0];
  const random = createRandom(firm.seed, 'checkout', person.key, planned.day, index);
  const isForgotten = isLast && planned.shape === 'normal' && random.chance(0.008);
  const isOpen = isForgotten ? isSameMonth(planned.day, asOf.today) : localDayOf(end) >= asOf.today && !asOf.hasStarted;
  const id = workdayId(source, planned.day, index);
  const timespans = timespansOf(source, planned, pieces, id);
  return {
    ...common(source, planned.day, id),
    started_at: formatLocalDateTime(begin),
    ended_at: isOpen ? null : formatLocalDateTime(end),
    timespans: isOpen
      ? timespans.map((timespan, at) => (at === timespans.length - 1 ? { ...timespan, ended_at: null } : timespan))
      : timespans,
    edits: isOpen ? [] : editsOf(planned.day, asOf, isForgotten, random),
  };
}

/** Returns a shift of today, whose first period of work has begun. */
function runningShift(source: WorkdaySource, planned: PlannedDay, shift: Shift): WorkdayRecord {
  const id = workdayId(source, planned.day, 0);
  const pieces = piecesOf(planned.day, shift).slice(0, 1);
  const timespans = timespansOf(source, planned, pieces, id).slice(0, 1);
  return {
    ...common(source, planned.day, id),
    started_at: formatLocalDateTime(pieces[0]?.startsAt ?? 0),
    ended_at: null,
    timespans: timespans.map((timespan) => ({ ...timespan, ended_at: null })),
    edits: [],
  };
}

function common({ firm, employeeId }: WorkdaySource, day: EpochDay, id: string) {
  return { kind: 'workday', institution_id: firm.institutionId, id, employee_id: employeeId, date: formatLocalDate(day) } as const;
}

/** Returns an id that ends in 00; the ids of timespans are derived by incrementing it. */
function workdayId({ firm, person }: WorkdaySource, day: EpochDay, index: number): string {
  return `${idOf(firm, `workday/${person.key}/${formatLocalDate(day)}/${index}`).slice(0, -2)}00`;
}

/**
 * Returns the edits of a workday. If the person forgot to clock out, it stays open until payroll: the office completes it on the first of
 * the next month.
 */
function editsOf(day: EpochDay, { today }: AsOf, isForgotten: boolean, random: Random): readonly EditRecord[] {
  const draw = random.next();
  const minute = random.int(8 * 60, 17 * 60);
  const edit = (on: EpochDay, by: EditRecord['by']): readonly EditRecord[] =>
    on < today ? [{ at: formatLocalDateTime(instantAt(on, minute * 60)), by }] : [];
  if (isForgotten) return edit(addDays(lastDayOfMonth(monthOf(day)), 1), 'manager');
  if (draw < 0.004) return edit(addDays(day, random.int(9, 16)), 'employee');
  if (draw < 0.03) return edit(addDays(day, 1), 'employee');
  return draw < 0.04 ? edit(addDays(day, random.int(1, 4)), 'manager') : [];
}

function isSameMonth(a: EpochDay, b: EpochDay): boolean {
  return monthKey(monthOf(a)) === monthKey(monthOf(b));
}
