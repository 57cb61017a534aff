import { calendarDate, epochDay, type DateRange } from '@stechuhr/worktime';
import { fullMonths } from './calendar.js';
import type { EmploymentSpan, ProrationName } from './entitlement.js';

/** The input of a proration: one cycle of one entitlement of one employee. */
interface CycleShare {
  /** Days of a whole cycle, in hundredths. */
  readonly amount: number;
  readonly cycle: DateRange;
  readonly employment: EmploymentSpan;
  /** The days of the cycle on which the employee is employed. */
  readonly employed: DateRange;
  /** The days among them on which the entitlement is valid. */
  readonly valid: DateRange;
}

/** Computes the days for a part of a cycle, in hundredths. */
type Proration = (share: CycleShare) => number;

const WAITING_MONTHS = 6;
const TWELFTHS_OF_A_DAY = 1200;

/** Each part of a cycle grants the full amount. */
const none: Proration = ({ amount }) => amount;

/** One twelfth for each full month of the part, rounded down to two decimals. */
const twelfths: Proration = ({ amount, cycle, valid }) => Math.floor((amount * monthsOf(valid, cycle) * 2 + 12) / 24);

/**
 * BUrlG §5: twelfths of full months for a year of entry or exit that does not earn the full leave, where fractions from half a day are rounded up and
 * smaller ones kept (§5(2); BAG 9 AZR 578/17); otherwise the full amount. Parts of a year that a change of entitlements divides get plain twelfths.
 */
const burlg: Proration = (share) => {
  const { amount, cycle, employed, valid } = share;
  if (valid.first > employed.first || valid.last < employed.last) return twelfths(share);
  return earnsPart(share) ? halfDaysUp(amount * monthsOf(valid, cycle)) : amount;
};

export const prorations: Readonly<Record<ProrationName, Proration>> = { none, twelfths, burlg };

/** A whole cycle has twelve months, even if it starts on 29 February. */
function monthsOf(part: DateRange, cycle: DateRange): number {
  return part.first === cycle.first && part.last === cycle.last ? 12 : fullMonths(part);
}

/** BUrlG §4, §5(1): entry in the second half of the year, exit before the end of the waiting period, or exit in the first half. */
function earnsPart({ cycle, employment: { hiredOn, leftOn } }: CycleShare): boolean {
  const endOfFirstHalf = epochDay(calendarDate(cycle.first).year, 6, 30);
  if (hiredOn > endOfFirstHalf) return true;
  if (leftOn === null) return false;
  return leftOn <= endOfFirstHalf || fullMonths({ first: hiredOn, last: leftOn }) < WAITING_MONTHS;
}

/** @param amount in twelfths of hundredths of a day */
function halfDaysUp(amount: number): number {
  const fraction = amount % TWELFTHS_OF_A_DAY;
  if (fraction * 2 >= TWELFTHS_OF_A_DAY) return ((amount - fraction) / TWELFTHS_OF_A_DAY + 1) * 100;
  return Math.floor((amount * 2 + 12) / 24);
}
