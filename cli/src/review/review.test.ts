import { describe, expect, it } from '@jest/globals';
import { describeReview, hides, type ReviewedFinding, type Suppression } from './review.js';

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
const rule = (fields: Partial<Suppression> = {}): Suppression => ({
  code: 'insufficient-break',
  employeeId: null,
  validFrom: '2026-05-04',
  validTo: '2026-05-04',
  ...fields,
});

describe('hides', () => {
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
    expect(hides(suppression, finding(fields))).toBe(expected);
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
