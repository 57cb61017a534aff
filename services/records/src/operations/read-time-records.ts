import { AppError } from '@stechuhr/kernel';
import { monthKey } from '@stechuhr/worktime';
import type { Caller } from '../domain/caller.js';
import { MAX_ACCOUNT_BYTES, MAX_READ_BYTES } from '../domain/month.js';
import { monthsToRead, type LargeMonths, type Starts, type TimeRecordsQuery } from '../domain/time-records.js';
import { countMonths, monthSlices } from './month-slices.js';
import type { TimeRecords } from './ports.js';
import { readAhead } from './read-ahead.js';

/** The number of employees whose account starts are looked up together. */
const EMPLOYEES_A_LOOKUP = 1_000;
const MAX_DAYS = 36_600;

const NO_STARTS: Starts = new Map();
const NO_LARGE_MONTHS: LargeMonths = new Map();

/** Reads the records of employees slice by slice, in the given order. Employees that the caller may not see are left out. */
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
  const startsOf = (ids: readonly string[]) => (reachesBack ? timeRecords.findStarts(caller, ids, query) : NO_STARTS);
  const wanted = [...new Set(employeeIds)];
  const large = readsMonths ? await timeRecords.largeMonths(caller, signal) : NO_LARGE_MONTHS;
  const withLarge = wanted.filter((id) => large.has(id));
  // Checked before the first message is sent, because a stream that breaks off in the middle of a file cannot report the reason.
  if (withLarge.length > 0) assertReadable(withLarge, await startsOf(withLarge), query, large);
  for (const ids of groupsOf(wanted, reachesBack ? EMPLOYEES_A_LOOKUP : Infinity)) {
    const starts = await startsOf(ids);
    if (readsMonths)
      for (const [id, { bytes }] of starts)
        if (bytes > MAX_ACCOUNT_BYTES) throw tooLarge(id, { bytes, max: MAX_ACCOUNT_BYTES }, LATER_BALANCE);
    const slices = monthSlices(ids, (id) => (readsMonths ? countMonths(monthsToRead(starts.get(id), query), id, large) : 1));
    const read = (slice: readonly string[]) => timeRecords.read(caller, { employeeIds: slice, starts }, query);
    for await (const messages of readAhead(slices, read)) yield* messages;
  }
}

function groupsOf(employeeIds: readonly string[], size: number): string[][] {
  const groups: string[][] = [];
  for (let first = 0; first < employeeIds.length; first += size) groups.push(employeeIds.slice(first, first + size));
  return groups;
}

/** @throws AppError `invalid`, with the id of an employee whose months exceed `MAX_READ_BYTES` */
function assertReadable(employeeIds: readonly string[], starts: Starts, query: TimeRecordsQuery, large: LargeMonths): void {
  for (const employeeId of employeeIds) {
    const sizes = large.get(employeeId);
    const bytes = monthsToRead(starts.get(employeeId), query).reduce((sum, month) => sum + (sizes?.get(monthKey(month)) ?? 0), 0);
    if (bytes <= MAX_READ_BYTES) continue;
    throw tooLarge(employeeId, { bytes, max: MAX_READ_BYTES }, starts.has(employeeId) ? LATER_BALANCE : 'Ask for fewer days.');
  }
}

const LATER_BALANCE = 'The opening balance of a later month makes them fewer.';

function tooLarge(employeeId: string, { bytes, max }: { readonly bytes: number; readonly max: number }, way: string): AppError {
  const size = `Employee ${employeeId} has ${String(bytes)} bytes of workdays to be read, of at most ${String(max)}.`;
  return AppError.invalid({ non_field_errors: [`${size} ${way}`] });
}
