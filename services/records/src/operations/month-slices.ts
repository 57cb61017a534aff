import { monthKey, type YearMonth } from '@stechuhr/worktime';
import type { LargeMonths } from '../domain/time-records.js';

/**
 * How many months are read at a time: usually about 3 MB, or 18 employees for a year. A slice is received and decoded at once; larger ones block the
 * event loop for longer (10 MB for 50 ms) and need more memory, and are not faster.
 */
const MONTHS_A_SLICE = 250;
/** A large month counts once for each of so many bytes, so that a slice never exceeds 16 MiB. */
const BYTES_A_MONTH = 65_536;
/** The first slice is small, so that the response begins at once; each further one may be larger by this factor. */
const MONTHS_OF_FIRST_SLICE = 100;
const SLICE_GROWTH = 4;
const EMPLOYEES_A_SLICE = 100;

/**
 * Divides employees into slices that are read one after the other, by the number of months to read. Each slice has at least one employee; the order
 * is kept.
 */
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

/** The number of usual months that these months of an employee are equivalent to. */
export function countMonths(months: readonly YearMonth[], employeeId: string, large: LargeMonths): number {
  const own = large.get(employeeId);
  if (own === undefined) return months.length;
  return months.reduce((count, month) => count + Math.max(1, (own.get(monthKey(month)) ?? 0) / BYTES_A_MONTH), 0);
}
