import { describe, expect, it } from '@jest/globals';
import { describeReview, hiddenBy, type ReviewedFinding, type Suppression } from './review.js';

const plain = (_colour: string, text: string): string => text;
const anna = { id: 'a', number: '1001', first_name: 'Anna', last_name: 'Abel' };
const hidden = { id: 'b', number: null, first_name: null, last_name: null };
const finding = (fields: Partial<ReviewedFinding> = {}): ReviewedFinding => ({
  code: 'insufficient-break',
  group: 'legal-violations',
  severity: 'error',
  date: '2026-05-04',
  references: [],
  context: {},
  details: 'Verdacht: zu kurz.',
  employee: anna,
  suppressed: false,
  ...fields,
});
const dayAt = (days: number): string => new Date(Date.UTC(1970, 0, 1 + days)).toISOString().slice(0, 10);
const rule = (fields: Partial<Suppression> = {}): Suppression => ({
  code: 'insufficient-break',
  employeeId: null,
  validFrom: '2026-05-04',
  validTo: '2026-05-04',
  ...fields,
});

describe('hiddenBy', () => {
  it.each<[string, Suppression, Partial<ReviewedFinding>, boolean]>([
    ['one day of everybody', rule(), {}, true],
    ['one employee', rule({ employeeId: 'a' }), {}, true],
    ['another employee', rule({ employeeId: 'b' }), {}, false],
    ['another check', rule({ code: 'unfiled-absence' }), {}, false],
    ['the days before', rule({ validFrom: '2026-01-01', validTo: '2026-05-03' }), {}, false],
    ['the days after', rule({ validFrom: '2026-05-05', validTo: null }), {}, false],
    ['all days from then on', rule({ validTo: null }), { date: '2031-01-01' }, true],
    ['no finding without a date', rule(), { date: null }, false],
  ])('%s', (_, suppression, fields, expected) => {
    expect(hiddenBy([suppression])(finding(fields))).toBe(expected);
  });

  it('takes all rules together, also those that overlap or leave gaps', () => {
    const isHidden = hiddenBy([
      rule({ validFrom: '2026-05-20', validTo: '2026-05-22' }),
      rule({ validFrom: '2026-05-01', validTo: '2026-05-10' }),
      rule({ validFrom: '2026-05-03', validTo: '2026-05-04' }),
      rule({ validFrom: '2026-05-10', validTo: '2026-05-12' }),
      rule({ employeeId: 'b', validFrom: '2026-05-15', validTo: '2026-05-15' }),
    ]);
    const hiddenDays = Array.from({ length: 31 }, (_, at) => at + 1).filter((day) =>
      isHidden(finding({ date: `2026-05-${String(day).padStart(2, '0')}` })),
    );
    expect(hiddenDays).toEqual([...Array.from({ length: 12 }, (_, at) => at + 1), 20, 21, 22]);
    expect(isHidden(finding({ date: '2026-05-15', employee: hidden }))).toBe(true);
  });

  it('compares 100,000 findings with 50,000 rules in no time', () => {
    const rules = Array.from({ length: 50_000 }, (_, at) => rule({ validFrom: dayAt(2 * at), validTo: dayAt(2 * at) }));
    const before = process.cpuUsage();
    const isHidden = hiddenBy(rules);
    const found = Array.from({ length: 100_000 }, (_, at) => isHidden(finding({ date: dayAt(at) })));
    expect(found.filter(Boolean)).toHaveLength(50_000);
    // One by one it would take about a minute of CPU time.
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(5_000);
  });
});

describe('describeReview', () => {
  it('groups findings by employee and marks suppressed ones', () => {
    const findings = [
      finding(),
      finding({ date: null, severity: 'warning', details: '' }),
      finding({ employee: hidden, suppressed: true }),
    ];
    expect(describeReview({ year: 2026, month: 5, errors: 1, suppressed: 1, findings }, plain))
      .toBe(`2026-05: 3 findings of 2 employees, 1 error left, 1 suppressed.

Abel, Anna (1001)
  2026-05-04  error    insufficient-break: Verdacht: zu kurz.
  –           warning  insufficient-break

Employee b
  2026-05-04  suppressed  insufficient-break: Verdacht: zu kurz.`);
  });

  it('says so where there is nothing', () => {
    expect(describeReview({ year: 2026, month: 11, errors: 0, suppressed: 0, findings: [] }, plain)).toBe('2026-11: no findings.');
  });
});
