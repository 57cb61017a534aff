import { calendarDate, epochDay, type EpochDay } from '@stechuhr/worktime';

const MAX_YEARS_AHEAD = 10;

/** The last day on which a setting may make something available: as far as asked, else to the end of this year, never beyond ten more. */
export function expansionLimit(asked: EpochDay | undefined, today: EpochDay): EpochDay {
  const { year } = calendarDate(today);
  return Math.min(asked ?? epochDay(year, 12, 31), epochDay(year + MAX_YEARS_AHEAD, 12, 31));
}
