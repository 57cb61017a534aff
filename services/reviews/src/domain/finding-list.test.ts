import { describe, expect, it } from '@jest/globals';
import { packFindings } from '../operations/pack-findings.js';
import type { Found, Reference } from './check.js';
import { excessiveDailyHours } from './checks/excessive-daily-hours.js';
import { insufficientBreak } from './checks/insufficient-break.js';
import { FindingList, MAX_REFERENCES, type PackFindings } from './finding-list.js';

const month = { first: 100, last: 130 };

function found(date: number, ids: readonly string[]): Found {
  return {
    date,
    references: ids.map((id): Reference => ['workday', id]),
    context: { seconds: 7, week: '2026-W10' },
    details: 'Täglich −1,5',
  };
}

describe('FindingList', () => {
  it('returns tens of thousands of findings in their order, as they were added', () => {
    let packs = 0;
    const pack: PackFindings = (findings) => {
      packs += 1;
      return packFindings(findings);
    };
    const list = new FindingList([insufficientBreak, excessiveDailyHours], month, pack);
    for (let employee = 10_000; employee < 30_000; employee += 1) {
      const one = { employeeId: String(employee), workmonthId: `m${String(employee)}` };
      list.add({ check: insufficientBreak, ...one }, [found(101, ['b', 'c']), found(101, ['b', 'a'])]);
      list.add({ check: excessiveDailyHours, ...one }, [found(101 - (employee % 2), ['d'])]);
    }
    expect(packs).toBeGreaterThan(0);
    expect(list.size).toBe(60_000);
    const all = [...list];
    expect(all).toHaveLength(60_000);
    const keys = all.map(({ check, employeeId, found: { date, references } }) =>
      [date, check.code, employeeId, ...references.map(([, id]) => id)].join(' '),
    );
    expect(keys).toEqual(keys.toSorted());
    expect(all[0]).toEqual({ check: excessiveDailyHours, employeeId: '10001', workmonthId: 'm10001', found: found(100, ['d']) });
    expect([...list]).toEqual(all);
  });

  it('refuses more findings than a process can hold', () => {
    const list = new FindingList([insufficientBreak], month, () => () => []);
    const one = { check: insufficientBreak, employeeId: 'a', workmonthId: 'm' };
    // With the employee and the workmonth, each finding has ten references.
    const ten = found(101, Array<string>(8).fill('w'));
    for (let at = 0; at < MAX_REFERENCES / 10; at += 1) list.add(one, [ten]);
    expect(list.size).toBe(100_000);
    expect(() => {
      list.add(one, [found(102, [])]);
    }).toThrow(
      expect.objectContaining({
        code: 'invalid',
        details: {
          non_field_errors: [
            'The findings of the month refer to more than 1000000 records. Correct some of the records first, or choose fewer checks in the review settings.',
          ],
        },
      }),
    );
  });
});
