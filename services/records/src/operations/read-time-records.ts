import { AppError } from '@stechuhr/kernel';
import { monthKey } from '@stechuhr/worktime';
import type { Caller } from '../domain/caller.js';
import { MAX_ACCOUNT_BYTES, MAX_READ_BYTES } from '../domain/month.js';
import { FEWER_DAYS, monthsToRead, tooLargeToRead, type LargeMonths, type Starts, type TimeRecordsQuery } from '../domain/time-records.js';
import { countMonths, monthSlices, type Readers } from './month-slices.js';
import type { TimeRecords } from './ports.js';
import { readSlices } from './read-slices.js';

/** The number of employees whose account starts are looked up together. */
const EMPLOYEES_A_LOOKUP = 1_000;
const MAX_DAYS = 36_600;

interface Ports {
  readonly timeRecords: TimeRecords;
  readonly readers: Readers;
}

const NO_STARTS: Starts = new Map();
const NO_LARGE_MONTHS: LargeMonths = new Map();

/** Reads the records of employees slice by slice, in the given order. Employees that the caller may not see are left out. */
export async function* readTimeRecords(
  ports: Ports,
  caller: Caller,
  employeeIds: readonly string[],
  query: TimeRecordsQuery,
): AsyncGenerator<Uint8Array> {
  ports.readers.count += 1;
  try {
    yield* readInOrder(ports, caller, employeeIds, query);
  } finally {
    ports.readers.count -= 1;
  }
}

async function* readInOrder(
  { timeRecords, readers }: Ports,
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
  const groups = groupsOf(wanted, reachesBack ? EMPLOYEES_A_LOOKUP : Infinity);
  // Checked before the first message is sent, because a stream that breaks off in the middle of a file cannot report the reason.
  for (const ids of groupsOf(withLarge, EMPLOYEES_A_LOOKUP)) assertReadable(ids, await startsOf(ids), query, large);
  if (readsMonths && groups.length > 1) for (const ids of groups) assertFewAccountBytes(await startsOf(ids));
  for (const ids of groups) {
    const starts = await startsOf(ids);
    if (readsMonths) assertFewAccountBytes(starts);
    const monthsOf = (id: string) => (readsMonths ? countMonths(monthsToRead(starts.get(id), query), id, large) : 1);
    const slices = monthSlices(ids, monthsOf, readers);
    const read = (slice: readonly string[]) => timeRecords.read(caller, { employeeIds: slice, starts }, query);
    yield* readSlices(slices, read);
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
    throw tooLargeToRead(employeeId, { bytes, max: MAX_READ_BYTES }, starts.has(employeeId) ? LATER_BALANCE : FEWER_DAYS);
  }
}

/** @throws AppError `invalid`, with the id of an employee whose months since the beginning of the account exceed `MAX_ACCOUNT_BYTES` */
function assertFewAccountBytes(starts: Starts): void {
  for (const [employeeId, { bytes }] of starts)
    if (bytes > MAX_ACCOUNT_BYTES) throw tooLargeToRead(employeeId, { bytes, max: MAX_ACCOUNT_BYTES }, LATER_BALANCE);
}

const LATER_BALANCE = 'The opening balance of a later month makes them fewer.';
