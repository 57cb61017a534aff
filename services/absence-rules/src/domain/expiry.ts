import type { EpochDay } from '@stechuhr/worktime';
import { dayInYear, monthsLater, NEVER, type MonthDay } from './calendar.js';
import type { Expiry } from './entitlement.js';

/** The last day on which what a cycle grants can be used. */
export function expiresAt(expiry: Expiry, cycleStart: MonthDay, year: number): EpochDay {
  switch (expiry.kind) {
    case 'never':
      return NEVER;
    case 'months':
      return monthsLater(cycleStart, year, expiry.months) - 1;
    case 'date':
      return dayInYear(expiry.monthDay, year + expiry.yearOffset);
  }
}
