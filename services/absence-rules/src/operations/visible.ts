import { AppError } from '@stechuhr/kernel';
import type { CallerRecords } from './ports.js';

/** Returns the ids of the employees who exist and whom the caller may see. */
export async function visibleAmong(records: CallerRecords, employeeIds: readonly string[]): Promise<ReadonlySet<string>> {
  const visible = new Set<string>();
  if (employeeIds.length > 0)
    for await (const staff of records.readStaff([...new Set(employeeIds)])) for (const { id } of staff) visible.add(id);
  return visible;
}

/** Returns the error for a missing rule, or for one that the caller may not see. */
export function noSuchRule(): AppError {
  return new AppError('not_found', 'Not found.');
}
