import type { StaffRecords } from '@stechuhr/exporting';
import type { EmployeeVacation } from './sources.js';

/** Balances, and the field in which they are stored. */
export interface JoinedBalances {
  readonly balances: AsyncIterable<EmployeeVacation>;
  readonly as: 'vacation' | 'vacationBefore';
}

/**
 * Adds a vacation balance to the records of each employee. Both inputs are in the order of the staff, and either may omit employees who
 * were deleted meanwhile.
 *
 * @param staffIds defines the order
 */
export async function* withVacation(
  staffIds: readonly string[],
  records: AsyncIterable<StaffRecords>,
  { balances, as }: JoinedBalances,
): AsyncGenerator<StaffRecords, void, undefined> {
  const positions = new Map(staffIds.map((id, at) => [id, at]));
  const positionOf = (id: string): number => positions.get(id) ?? -1;
  const remaining = balances[Symbol.asyncIterator]();
  try {
    let next = await remaining.next();
    for await (const entry of records) {
      while (!next.done && positionOf(next.value.employeeId) < positionOf(entry.employeeId)) next = await remaining.next();
      const isTheirs = !next.done && next.value.employeeId === entry.employeeId;
      yield isTheirs ? { ...entry, [as]: next.value.vacation } : entry;
    }
  } finally {
    await remaining.return?.();
  }
}
