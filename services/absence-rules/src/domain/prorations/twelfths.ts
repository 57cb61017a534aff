import type { DateRange } from '@stechuhr/worktime';
import { fullMonths } from '../calendar.js';
import type { Proration } from './proration.js';

/** A twelfth for each full month of the part, to two decimals. */
export const twelfths: Proration = ({ amount, cycle, valid }) => Math.floor((amount * monthsOf(valid, cycle) * 2 + 12) / 24);

/** A whole cycle has twelve months, also one that starts on 29 February. */
export function monthsOf(part: DateRange, cycle: DateRange): number {
  return part.first === cycle.first && part.last === cycle.last ? 12 : fullMonths(part);
}
