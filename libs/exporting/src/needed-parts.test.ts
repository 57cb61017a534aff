import { describe, expect, it } from '@jest/globals';
import { neededParts } from './needed-parts.js';
import { day, sectionOf } from './test/fixture.js';

describe('neededParts', () => {
  it.each([
    [{ types: 'planned-time:hours' }, ['contracts']],
    [{ types: 'public-holiday:days' }, ['contracts']],
    [{ types: 'vacation:days' }, ['contracts', 'absences']],
    [{ types: 'gross-time:hours' }, ['workdays']],
    [{ types: 'workday:hours' }, ['workdays', 'timespans']],
    [{ types: 'workday:hours|absence-day:days' }, ['contracts', 'absences', 'workdays', 'timespans']],
    [{ types: 'planned-time:hours', filter: 'project=P-100' }, ['contracts', 'workdays', 'timespans']],
    [{ types: 'gross-time:hours', filter: 'missing-type=sick|q=a' }, ['contracts', 'absences', 'workdays']],
    [{ types: 'vacation-remaining:days|vacation-expiring:days' }, ['vacation']],
    [{ types: 'vacation-year-taken:days' }, ['vacation', 'vacationBefore']],
    [{ types: 'overtime-account:hours' }, ['contracts', 'absences', 'workdays', 'timespans', 'openingBalances']],
    [{}, ['contracts', 'absences', 'workdays', 'timespans']],
  ])('returns for %j the parts %j', (parameters, parts) => {
    const { days, ...needed } = neededParts(sectionOf(parameters));
    expect(days).toEqual({ first: day('2026-04-01'), last: day('2026-04-07') });
    expect(Object.entries(needed).flatMap(([part, isNeeded]) => (isNeeded ? [part] : []))).toEqual(parts);
  });
});
