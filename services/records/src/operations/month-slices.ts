import { monthKey, type YearMonth } from '@stechuhr/worktime';
import type { LargeMonths } from '../domain/time-records.js';

/**
 * Months that are read at a time. In usual ones about 3 MB; over a year these are 18 employees. A slice is received and decoded in one go:
 * larger ones block the event loop for longer (10 MB for 50 ms) and cost memory, and are no faster.
 */
const MONTHS_A_SLICE = 250;
/** A large month counts as many times as it has so many bytes, so that a slice never has more than 16 MiB. */
const BYTES_A_MONTH = 65_536;
/** The first slice is small, so that the answer begins at once; each further one may be so many times as large. */
const MONTHS_OF_FIRST_SLICE = 100;
const SLICE_GROWTH = 4;
const EMPLOYEES_A_SLICE = 100;

/** Employees in slices that are read one after the other, by how much there is to read of each: one at least, in the order given. */
export function monthSlices(employeeIds: readonly string[], monthsOf: (employeeId: string) => number): string[][] {
  const slices: string[][] = [];
  let months = 0;
  let maxMonths = MONTHS_OF_FIRST_SLICE;
  for (const employeeId of employeeIds) {
    const own = monthsOf(employeeId);
    months += own;
    const slice = slices.at(-1);
    if (slice !== undefined && months <= maxMonths && slice.length < EMPLOYEES_A_SLICE) slice.push(employeeId);
    else {
      if (slice !== undefined) maxMonths = Math.min(maxMonths * SLICE_GROWTH, MONTHS_A_SLICE);
      slices.push([employeeId]);
      months = own;
    }
  }
  return slices;
}

/** As how many usual months these months of an employee count. */
export function countMonths(months: readonly YearMonth[], employeeId: string, large: LargeMonths): number {
  const own = large.get(employeeId);
  if (own === undefined) return months.length;
  return months.reduce((count, month) => count + Math.max(1, (own.get(monthKey(month)) ?? 0) / BYTES_A_MONTH), 0);
}
