import { describe, expect, it } from '@jest/globals';
import type { StaffRecords } from '@stechuhr/exporting';
import { ExportProgress } from './progress.js';

async function* staff(count: number): AsyncGenerator<StaffRecords, void, undefined> {
  for (let n = 0; n < count; n++) yield { employeeId: String(n), contracts: [], absences: [], workdays: [], openingBalances: [] };
}

describe('ExportProgress', () => {
  it('estimates the rows of all from the rows of those that are done', async () => {
    const progress = new ExportProgress(4);
    const estimates: number[] = [];
    for await (const _ of progress.follow(staff(4))) {
      progress.rows += 10;
      // In the middle of an employee, whose rows must not count as those of the ones before.
      estimates.push(progress.estimatedRows);
    }
    expect([...estimates, progress.estimatedRows]).toEqual([0, 40, 40, 40, 40]);
  });

  it('estimates no rows without employees', () => {
    expect(new ExportProgress(0).estimatedRows).toBe(0);
  });
});
