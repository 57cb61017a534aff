import { calendarDate, epochDay, type DateRange, type EpochDay } from '@stechuhr/worktime';
import { fullMonths } from './calendar.js';
import type { EmploymentSpan, ProrationName } from './entitlement.js';

/** The input of a proration: one cycle of one entitlement of one employee. */
interface CycleShare {
  /** The days that a whole cycle grants, in hundredths. */
  readonly amount: number;
  readonly cycle: DateRange;
  readonly employment: EmploymentSpan;
  /** The days of the cycle on which the employee is employed. */
  readonly employed: DateRange;
  /** The part of `employed` on which the entitlement is valid. */
  readonly valid: DateRange;
}

/** Returns the days that a part of a cycle grants, in hundredths. */
type Proration = (share: CycleShare) => number;

const WAITING_MONTHS = 6;
const TWELFTHS_OF_A_DAY = 1200;

/** Grants the full amount for each part of a cycle. */
const none: Proration = ({ amount }) => amount;

/** Grants a twelfth for each full month of the part, rounded to two decimals. */
const twelfths: Proration = ({ amount, cycle, valid }) => Math.floor((amount * monthsOf(valid, cycle) * 2 + 12) / 24);

/**
 * BUrlG §5: in a year of entry or exit without a claim to the full leave, grants a twelfth for each full month; fractions of at least half
 * a day are rounded up to whole days, smaller ones are kept (§5(2); BAG 9 AZR 578/17). Otherwise grants the full amount. If a change of
 * entitlements divides the cycle, each part gets plain twelfths.
 */
const burlg: Proration = (share) => {
  const { amount, employed, valid } = share;
  if (valid.first > employed.first || valid.last < employed.last) return twelfths(share);
  const months = earnedMonths(share);
  return months === undefined ? amount : halfDaysUp(amount * months);
};

export const prorations: Readonly<Record<ProrationName, Proration>> = { none, twelfths, burlg };

/** Returns the months of a part. A whole cycle has twelve months, even if it starts on 29 February. */
function monthsOf(part: DateRange, cycle: DateRange): number {
  return part.first === cycle.first && part.last === cycle.last ? 12 : fullMonths(part);
}

/**
 * Returns the months that earn a twelfth of the leave each, if only a part of it is earned (BUrlG §4, §5(1)): exit before the waiting period
 * is over or together with its end, entry in the second half of the year, or exit in the first half. Undefined means the full leave.
 */
function earnedMonths({ cycle, employment: { hiredOn, leftOn }, employed }: CycleShare): number | undefined {
  const sinceHiring = (last: EpochDay): number => fullMonths({ first: hiredOn, last });
  // The full leave is earned after the waiting period, not with it (BAG 9 AZR 179/15).
  if (leftOn !== null && sinceHiring(leftOn - 1) < WAITING_MONTHS) {
    // The months of the whole employment count, so that none is lost at the turn of the year (§5(1)b).
    return sinceHiring(employed.last) - (hiredOn < cycle.first ? sinceHiring(cycle.first - 1) : 0);
  }
  const endOfFirstHalf = epochDay(calendarDate(cycle.first).year, 6, 30);
  return hiredOn > endOfFirstHalf || (leftOn !== null && leftOn <= endOfFirstHalf) ? fullMonths(employed) : undefined;
}

/** Rounds fractions of at least half a day up to whole days. @param amount in twelfths of hundredths of a day */
function halfDaysUp(amount: number): number {
  const fraction = amount % TWELFTHS_OF_A_DAY;
  if (fraction * 2 >= TWELFTHS_OF_A_DAY) return ((amount - fraction) / TWELFTHS_OF_A_DAY + 1) * 100;
  return Math.floor((amount * 2 + 12) / 24);
}
