import { describe, expect, it } from '@jest/globals';
import type { StaffRecords } from '@stechuhr/exporting';
import { ExportProgress } from './progress.js';

async function* staff(count: number): AsyncGenerator<StaffRecords, void, undefined> {
  for (let n = 0; n < count; n++) yield { employeeId: String(n), contracts: [], absences: [], workdays: [], openingBalances: [] };
}

describe('ExportProgress', () => {
  it('estimates the total number of rows from complete employees', async () => {
    const progress = new ExportProgress(4);
    const estimates: number[] = [];
    for await (const _ of progress.follow(staff(4))) {
      progress.rows += 10;
      // In the middle of an employee, whose rows must not be attributed to earlier employees.
      estimates.push(progress.estimatedRows);
    }
    expect([...estimates, progress.estimatedRows]).toEqual([0, 40, 40, 40, 40]);
  });

  it('is 0 for an export without employees', () => {
    expect(new ExportProgress(0).estimatedRows).toBe(0);
  });
});
