import type { StaffRecords } from '@stechuhr/exporting';
import type { EmployeeVacation } from './sources.js';

/** Balances, and to which part of the records they are added. */
export interface JoinedBalances {
  readonly balances: AsyncIterable<EmployeeVacation>;
  readonly as: 'vacation' | 'vacationBefore';
}

/**
 * Adds a vacation balance to the records of each employee. Both arrive in the order of the staff, and either may lack an employee who was deleted
 * meanwhile.
 * @param staffIds the order
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
