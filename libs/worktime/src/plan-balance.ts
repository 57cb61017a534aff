import { absenceDays } from './absence-days.js';
import type { DateRange } from './intervals.js';
import { calendarDate, epochDay } from './local-date.js';
import { contractOn, dayPlan, type Terms } from './planned.js';
import type { Contract, EpochDay } from './records.js';
import type { EmployeeRecords } from './totals.js';

/**
 * Returns what a range of dates adds to the overtime account in addition to the time worked: credited absences − planned time, in seconds.
 * Whole years are not computed day by day, so that a range of thousands of years takes no longer than its contracts and absences.
 */
export function planBalance({ terms, absences, absenceTypes }: Omit<EmployeeRecords, 'workdays'>, range: DateRange): number {
  let credited = 0;
  for (const absence of absenceDays(absences, absenceTypes, terms, range)) if (absence.credited) credited += absence.seconds;
  return credited - plannedSeconds(terms, range);
}

/** Returns the sum of the planned time of each date of a range, in seconds. */
export function plannedSeconds(terms: Terms, range: DateRange): number {
  const { employment, contracts } = terms;
  const first = Math.max(range.first, employment.hiredOn);
  const last = Math.min(range.last, employment.leftOn ?? Infinity);
  const changes = contracts.flatMap(({ validFrom, validTo }) => (validTo === null ? [validFrom] : [validFrom, validTo + 1]));
  const starts = [first, ...new Set(changes.filter((day) => day > first && day <= last))].sort((a, b) => a - b);
  return starts.reduce(
    (sum, start, index) => sum + plannedUnderOneContract(terms, { first: start, last: (starts[index + 1] ?? last + 1) - 1 }),
    0,
  );
}

/**
 * Returns the planned time of a range with a single valid contract: day by day in partial years, and by the number of weekdays in whole
 * years.
 */
function plannedUnderOneContract(terms: Terms, { first, last }: DateRange): number {
  const contract = contractOn(terms.contracts, first);
  if (contract === null || last < first) return 0;
  const from = calendarDate(first - 1).year + 1;
  const until = calendarDate(last + 1).year - 1;
  if (until < from) return plannedDayByDay(terms, first, last);
  let sum = plannedDayByDay(terms, first, epochDay(from, 1, 1) - 1) + plannedDayByDay(terms, epochDay(until + 1, 1, 1), last);
  for (let year = from; year <= until; year += 1) sum += plannedInYear(contract, terms.holidays.ordinaryDaysOf(year));
  return sum;
}

/** Returns the planned time of a whole year. @param days the number of days that are not public holidays by weekday, Monday first */
function plannedInYear({ plannedMinutes }: Contract, days: readonly number[]): number {
  return days.reduce((sum, count, weekday) => sum + count * (plannedMinutes[weekday] ?? 0) * 60, 0);
}

function plannedDayByDay(terms: Terms, first: EpochDay, last: EpochDay): number {
  let sum = 0;
  for (let day = first; day <= last; day += 1) sum += dayPlan(terms, day).plannedSeconds;
  return sum;
}
