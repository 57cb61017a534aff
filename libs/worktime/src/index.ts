export type { Absence, AbsenceCategory, AbsenceType, Contract, Employment, EpochDay, EpochSecond, Timespan, Workday } from './records.js';
export { addDays, calendarDate, epochDay, formatLocalDate, parseLocalDate, weekday, type CalendarDate } from './local-date.js';
export { firstDayOfMonth, isoWeek, lastDayOfMonth, monthKey, monthOf, type IsoWeek, type YearMonth } from './calendar-units.js';
export { instantAt, localDayOf, offsetAt, startOfLocalDay } from './zone.js';
export {
  formatLocalDateTime,
  formatLocalTime,
  parseLocalDateTime,
  resolveInstant,
  resolveInterval,
  type LocalInstant,
  type ParsedLocalDateTime,
} from './local-date-time.js';
export { overlap, unionOf, windowOf, type DateRange, type Interval } from './intervals.js';
export { breaksOf, workdaySeconds, type WorkSeconds } from './workday-time.js';
export { dayParts, type DayPart } from './day-parts.js';
export { projectSeconds, workPieces, type WorkPiece } from './work-pieces.js';
export { isFederalState, type FederalState } from './federal-states.js';
export { planBalance } from './plan-balance.js';
export { holidayCalendar, type HolidayCalendar } from './holidays.js';
export { contractOn, dayPlan, isEmployed, type DayPlan, type Terms } from './planned.js';
export { absenceDays, type AbsenceDay } from './absence-days.js';
export {
  periodTotals,
  planTotals,
  workTotals,
  type Amount,
  type EmployeeRecords,
  type PeriodTotals,
  type PlanTotals,
  type WorkTotals,
} from './totals.js';
export { formatNumber, roundHalfUp, roundRatio, roundedHours, sumOfDecimals } from './rounding.js';
