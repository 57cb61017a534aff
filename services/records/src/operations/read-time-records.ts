import { AppError } from '@stechuhr/kernel';
import type { Caller } from '../domain/caller.js';
import { monthsToRead, type EmployeeSlice, type Starts, type TimeRecordsQuery } from '../domain/time-records.js';
import type { TimeRecords } from './ports.js';
import { readAhead } from './read-ahead.js';

const EMPLOYEES_A_SLICE = 100;
/**
 * About 3 MB; over a year these are 18 employees. A slice is received and decoded in one go: larger ones block the event loop for
 * longer (10 MB for 50 ms) and cost memory, and are no faster.
 */
const MONTHS_A_SLICE = 250;
/** The first slice is small, so that the answer begins at once; each further one may be so many times as large. */
const MONTHS_OF_FIRST_SLICE = 100;
const SLICE_GROWTH = 4;
/** 16 MiB at most, where months are large. */
const LARGE_MONTHS_A_SLICE = 8;
/** So many are asked at once where their accounts begin. */
const EMPLOYEES_A_LOOKUP = 1_000;
const MAX_DAYS = 36_600;

const NO_STARTS: Starts = new Map();

/** Reads employees slice by slice in the order given. What the caller may not see does not exist. */
export async function* readTimeRecords(
  { timeRecords }: { timeRecords: TimeRecords },
  caller: Caller,
  employeeIds: readonly string[],
  query: TimeRecordsQuery,
): AsyncGenerator<Uint8Array> {
  const { fromDay, toDay, parts, signal } = query;
  if (toDay < fromDay) throw AppError.invalid({ to_day: ['Must not be before from_day.'] });
  if (toDay - fromDay > MAX_DAYS) throw AppError.invalid({ to_day: ['Must not be more than 100 years after from_day.'] });
  const reachesBack = parts.has('opening-balances');
  const readsMonths = parts.has('workdays') || parts.has('timespans');
  const months = readsMonths && (await timeRecords.hasLargeMonths(caller, signal)) ? LARGE_SLICES : SLICES;
  for (const ids of groupsOf([...new Set(employeeIds)], reachesBack ? EMPLOYEES_A_LOOKUP : Infinity)) {
    const starts = reachesBack ? await timeRecords.findStarts(caller, ids, query) : NO_STARTS;
    const slices = slicesOf(ids, starts, query, months);
    for await (const messages of readAhead(slices, (slice) => timeRecords.read(caller, slice, query))) yield* messages;
  }
}

function groupsOf(employeeIds: readonly string[], size: number): string[][] {
  const groups: string[][] = [];
  for (let first = 0; first < employeeIds.length; first += size) groups.push(employeeIds.slice(first, first + size));
  return groups;
}

/** Months of the first slice, and of each further one at most. */
interface SliceMonths {
  readonly first: number;
  readonly most: number;
}

const SLICES: SliceMonths = { first: MONTHS_OF_FIRST_SLICE, most: MONTHS_A_SLICE };
const LARGE_SLICES: SliceMonths = { first: LARGE_MONTHS_A_SLICE, most: LARGE_MONTHS_A_SLICE };

function slicesOf(employeeIds: readonly string[], starts: Starts, query: TimeRecordsQuery, { first, most }: SliceMonths): EmployeeSlice[] {
  const { parts } = query;
  const readsMonths = parts.has('workdays') || parts.has('timespans');
  const slices: { employeeIds: string[]; starts: Starts }[] = [];
  let months = 0;
  let maxMonths = first;
  for (const employeeId of employeeIds) {
    const own = readsMonths ? monthsToRead(starts.get(employeeId), query).length : 1;
    months += own;
    const slice = slices.at(-1);
    if (slice !== undefined && months <= maxMonths && slice.employeeIds.length < EMPLOYEES_A_SLICE) slice.employeeIds.push(employeeId);
    else {
      if (slice !== undefined) maxMonths = Math.min(maxMonths * SLICE_GROWTH, most);
      slices.push({ employeeIds: [employeeId], starts });
      months = own;
    }
  }
  return slices;
}
