import { describe, expect, it } from '@jest/globals';
import type { StaffRecords } from '@stechuhr/exporting';
import type { EmployeeVacation } from './sources.js';
import { withVacation } from './with-vacation.js';

async function* each<T>(items: readonly T[]): AsyncGenerator<T, void, undefined> {
  for (const item of items) yield Promise.resolve(item);
}

const records = (employeeId: string): StaffRecords => ({ employeeId, contracts: [], absences: [], workdays: [], openingBalances: [] });
const balance = (employeeId: string, granted: number): EmployeeVacation => ({
  employeeId,
  vacation: { granted, taken: 0, remaining: granted, expiring: 0 },
});

describe('withVacation', () => {
  it('joins both in the order of the staff, even if employees are missing on either side', async () => {
    const staff = ['d', 'b', 'c', 'a'];
    const joined = withVacation(staff, each(['d', 'b', 'a'].map(records)), {
      balances: each([balance('d', 1), balance('c', 3), balance('a', 4)]),
      as: 'vacation',
    });
    const granted: unknown[] = [];
    for await (const { employeeId, vacation } of joined) granted.push([employeeId, vacation?.granted]);
    expect(granted).toEqual([
      ['d', 1],
      ['b', undefined],
      ['a', 4],
    ]);
  });

  it('stops reading balances when the loop is left', async () => {
    let ended = false;
    async function* endless(): AsyncGenerator<EmployeeVacation, void, undefined> {
      try {
        for (;;) yield Promise.resolve(balance('a', 1));
      } finally {
        ended = true;
      }
    }
    for await (const _ of withVacation(['a', 'b'], each(['a', 'b'].map(records)), { balances: endless(), as: 'vacationBefore' })) break;
    expect(ended).toBe(true);
  });
});
