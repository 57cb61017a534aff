import { AppError } from '@stechuhr/kernel';
import type { Caller } from '../domain/caller.js';
import { monthsAround, type TimeRecordsQuery } from '../domain/time-records.js';
import type { TimeRecords } from './ports.js';
import { readAhead } from './read-ahead.js';

const EMPLOYEES_A_SLICE = 100;
/** A slice of 100 employees over a year; longer ranges are read with fewer employees at a time, so that memory stays flat. */
const MONTHS_A_SLICE = 1_400;
const MAX_DAYS = 36_600;

/** Reads employees slice by slice in the order given. What the caller may not see does not exist. */
export async function* readTimeRecords(
  { timeRecords }: { timeRecords: TimeRecords },
  caller: Caller,
  employeeIds: readonly string[],
  query: TimeRecordsQuery,
): AsyncGenerator<Uint8Array> {
  const slices = slicesOf([...new Set(employeeIds)], query);
  for await (const messages of readAhead(slices, (slice) => timeRecords.read(caller, slice, query))) yield* messages;
}

function slicesOf(employeeIds: readonly string[], { fromDay, toDay }: TimeRecordsQuery): string[][] {
  if (toDay < fromDay) throw AppError.invalid({ to_day: ['Lies before from_day.'] });
  if (toDay - fromDay > MAX_DAYS) throw AppError.invalid({ to_day: ['Lies more than 100 years after from_day.'] });
  const months = monthsAround(fromDay, toDay).length;
  const size = Math.max(1, Math.min(EMPLOYEES_A_SLICE, Math.floor(MONTHS_A_SLICE / months)));
  return Array.from({ length: Math.ceil(employeeIds.length / size) }, (_, index) => employeeIds.slice(index * size, (index + 1) * size));
}
