import { describe, expect, it } from '@jest/globals';
import { hiddenBy, type SuppressionFields } from './suppression.js';
import { day } from './test-support.js';

const may = { first: day('2026-05-01'), last: day('2026-05-31') };
const rule = (given: Partial<SuppressionFields> = {}): SuppressionFields => ({
  code: 'insufficient-break',
  employeeId: null,
  validFrom: day('2026-05-10'),
  validTo: day('2026-05-12'),
  ...given,
});
const finding = (date: string, given: { readonly code?: string; readonly employeeId?: string } = {}) => ({
  code: 'insufficient-break',
  employeeId: 'a',
  date: day(date),
  ...given,
});

describe('hiddenBy', () => {
  it.each([
    ['the first day', rule(), finding('2026-05-10'), true],
    ['the last day', rule(), finding('2026-05-12'), true],
    ['the day before', rule(), finding('2026-05-09'), false],
    ['the day after', rule(), finding('2026-05-13'), false],
    ['a day of a permanent rule', rule({ validTo: null }), finding('2026-05-31'), true],
    ['a day of a rule that began in an earlier month', rule({ validFrom: 0 }), finding('2026-05-01'), true],
    ['another check', rule(), finding('2026-05-10', { code: 'future-workday' }), false],
    ['the employee of the rule', rule({ employeeId: 'a' }), finding('2026-05-10'), true],
    ['another employee', rule({ employeeId: 'b' }), finding('2026-05-10'), false],
  ])('judges %s', (_, given, found, expected) => {
    expect(hiddenBy([given], may)(found)).toBe(expected);
  });

  it('is fast for tens of thousands of rules and findings', () => {
    const rules = Array.from({ length: 50_000 }, (_, at) => rule({ validFrom: at - 60_000, validTo: at - 60_000 }));
    const found = Array.from({ length: 20_000 }, () => finding('2026-05-10'));
    const before = process.cpuUsage();
    expect(found.filter(hiddenBy(rules, may))).toEqual([]);
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(1_000);
  });
});
