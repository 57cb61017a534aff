import { describe, expect, it } from '@jest/globals';
import { expansionLimit } from './grant.js';
import { compareRules, settingRule } from './rule.js';
import { day, employee, entitlement, rule } from './test-support.js';

describe('settingRule', () => {
  const owner = {
    institutionId: 'f0000000-0000-4000-8000-000000000000',
    employeeId: 'e0000000-0000-4000-8000-000000000001',
    entitlement: entitlement({ priority: 3 }),
  };
  const grant = { year: 2026, amount: 1300, availableFrom: day('2026-08-01'), expiresAt: day('9999-12-31') };

  it('shows a grant as a rule with the year in its label', () => {
    expect(settingRule(owner, grant)).toEqual({
      // Calculated with another implementation of RFC 9562: the name is <employee>/<entitlement>/<year>, the namespace the institution.
      id: 'eab72739-4e80-5494-af94-c13d363a3388',
      employeeId: owner.employeeId,
      label: 'Urlaub 2026',
      missingType: 'vacation',
      amount: 1300,
      priority: 3,
      availableFrom: day('2026-08-01'),
      expiresAt: day('9999-12-31'),
      source: 'setting',
    });
  });

  it('keeps its id unless the cycle changes', () => {
    const { id } = settingRule(owner, grant);
    expect(settingRule({ ...owner, entitlement: entitlement({ label: 'Anders', priority: 9 }) }, { ...grant, amount: 1 }).id).toBe(id);
    expect(settingRule(owner, { ...grant, year: 2027 }).id).not.toBe(id);
    expect(settingRule({ ...owner, employeeId: employee(2, []).id }, grant).id).not.toBe(id);
    expect(settingRule({ ...owner, institutionId: owner.employeeId }, grant).id).not.toBe(id);
  });
});

describe('compareRules', () => {
  it('orders by available_from, priority, employee_id, id', () => {
    const inOrder = [
      rule({ availableFrom: day('2026-01-01'), priority: 9, employeeId: 'z', id: 'z' }),
      rule({ availableFrom: day('2026-01-02'), priority: 0, employeeId: 'z', id: 'z' }),
      rule({ availableFrom: day('2026-01-02'), priority: 1, employeeId: 'a', id: 'z' }),
      rule({ availableFrom: day('2026-01-02'), priority: 1, employeeId: 'b', id: 'a' }),
      rule({ availableFrom: day('2026-01-02'), priority: 1, employeeId: 'b', id: 'b' }),
    ];
    expect([...inOrder].reverse().sort(compareRules)).toEqual(inOrder);
    expect(compareRules(rule(), rule())).toBe(0);
  });
});

describe('expansionLimit', () => {
  const today = day('2026-11-20');

  it.each([
    [undefined, '2026-12-31'],
    ['2026-01-01', '2026-01-01'],
    ['2031-05-05', '2031-05-05'],
    ['2036-12-31', '2036-12-31'],
    ['2037-01-01', '2036-12-31'],
    ['9999-12-31', '2036-12-31'],
  ])('asked for %s it is %s', (asked, expected) => {
    expect(expansionLimit(asked === undefined ? undefined : day(asked), today)).toBe(day(expected));
  });
});
