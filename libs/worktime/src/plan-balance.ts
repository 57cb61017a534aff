import { absenceDays } from './absence-days.js';
import type { DateRange } from './intervals.js';
import { calendarDate, epochDay } from './local-date.js';
import { contractOn, dayPlan, type Terms } from './planned.js';
import type { Contract, EpochDay } from './records.js';
import type { EmployeeRecords } from './totals.js';

/**
 * What a range of dates adds to the overtime account besides the time worked: credited absences − planned time, in seconds. Whole years are not
 * computed day by day, so that a range of thousands of years takes no longer than its contracts and absences.
 */
export function planBalance({ terms, absences, absenceTypes }: Omit<EmployeeRecords, 'workdays'>, range: DateRange): number {
  let credited = 0;
  for (const absence of absenceDays(absences, absenceTypes, terms, range)) if (absence.credited) credited += absence.seconds;
  return credited - plannedSeconds(terms, range);
}

/** The sum of what is planned for each date of a range. */
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

/** Planned time of a range in which one contract is valid: day by day in the years that the range cuts, by counts of weekdays in the whole ones. */
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

/** @param days how many of each weekday are no public holidays, Monday first */
function plannedInYear({ plannedMinutes }: Contract, days: readonly number[]): number {
  return days.reduce((sum, count, weekday) => sum + count * (plannedMinutes[weekday] ?? 0) * 60, 0);
}

function plannedDayByDay(terms: Terms, first: EpochDay, last: EpochDay): number {
  let sum = 0;
  for (let day = first; day <= last; day += 1) sum += dayPlan(terms, day).plannedSeconds;
  return sum;
}
