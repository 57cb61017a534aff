import { monthKey, type YearMonth } from '@stechuhr/worktime';
import type { LargeMonths } from '../domain/time-records.js';

/**
 * The number of months that are read together: about 3 MB for usual months, or 18 employees over a year. A slice is received and decoded at
 * once. Larger slices block the event loop for longer (10 MB for 50 ms) and need more memory, but are no faster.
 */
const MONTHS_A_SLICE = 250;
/** The number of months that all readers of the process hold together, about 50 MB; each holds one slice and the next one. */
const MONTHS_IN_MEMORY = 4_000;
const FEWEST_MONTHS_A_SLICE = 25;
/** A large month counts once for each of these bytes, so that a slice never exceeds 16 MiB. */
const BYTES_A_MONTH = 65_536;
/** The first slice is small, so that the response begins early. Each further slice may be larger than the one before by `SLICE_GROWTH`. */
const MONTHS_OF_FIRST_SLICE = 100;
const SLICE_GROWTH = 4;
const EMPLOYEES_A_SLICE = 100;

/** The number of streams of records that the process sends. Their readers may be slow, so each of them holds its slices for long. */
export class Readers {
  count = 0;

  /** The maximum number of months that one of them reads together. */
  get monthsASlice(): number {
    const share = Math.floor(MONTHS_IN_MEMORY / (2 * Math.max(1, this.count)));
    return Math.max(FEWEST_MONTHS_A_SLICE, Math.min(MONTHS_A_SLICE, share));
  }
}

/**
 * Divides employees into slices that are read one after the other, by the number of months to read. Each slice has at least one employee;
 * the order is kept.
 */
export function monthSlices(
  employeeIds: readonly string[],
  monthsOf: (employeeId: string) => number,
  { monthsASlice }: Pick<Readers, 'monthsASlice'>,
): string[][] {
  const slices: string[][] = [];
  let months = 0;
  let maxMonths = Math.min(MONTHS_OF_FIRST_SLICE, monthsASlice);
  for (const employeeId of employeeIds) {
    const own = monthsOf(employeeId);
    months += own;
    const slice = slices.at(-1);
    if (slice !== undefined && months <= maxMonths && slice.length < EMPLOYEES_A_SLICE) slice.push(employeeId);
    else {
      if (slice !== undefined) maxMonths = Math.min(maxMonths * SLICE_GROWTH, monthsASlice);
      slices.push([employeeId]);
      months = own;
    }
  }
  return slices;
}

/** Returns the size of months of an employee as a number of usual months. */
export function countMonths(months: readonly YearMonth[], employeeId: string, large: LargeMonths): number {
  const own = large.get(employeeId);
  if (own === undefined) return months.length;
  return months.reduce((count, month) => count + Math.max(1, (own.get(monthKey(month)) ?? 0) / BYTES_A_MONTH), 0);
}
