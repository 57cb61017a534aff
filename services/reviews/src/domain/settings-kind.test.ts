import { describe, expect, it } from '@jest/globals';
import { judgeSettings } from './settings-kind.js';
import { activeChecks, defaultSettings } from './settings.js';

describe('judgeSettings', () => {
  it.each<[string, object, object]>([
    ['nothing', {}, { checks: null, options: {} }],
    ['null', { checks: null, options: null }, { checks: null, options: {} }],
    ['no checks', { checks: [] }, { checks: [], options: {} }],
    ['some, one of them twice', { checks: ['future-workday', 'future-workday'] }, { checks: ['future-workday'], options: {} }],
    [
      'decimals and words',
      { options: { 'insufficient-break': { boundary: 'statutory', min_piece_minutes: 12.5 } } },
      { checks: null, options: { 'insufficient-break': { boundary: 'statutory', min_piece_minutes: 12.5 } } },
    ],
    [
      'options that are not set',
      { options: { 'excessive-daily-hours': { max_hours: null }, 'future-workday': null } },
      { checks: null, options: {} },
    ],
    [
      'a negative option that may be negative',
      { options: { 'overtime-account-out-of-range': { min_hours: -120.5 } } },
      { checks: null, options: { 'overtime-account-out-of-range': { min_hours: -120.5 } } },
    ],
  ])('accepts %s', (_, line, settings) => {
    expect(judgeSettings(line)).toEqual({ settings });
  });

  it.each<[object, string]>([
    [{ checks: 'future-workday' }, 'checks must be a list of check codes.'],
    [{ checks: ['future-workday', 'no-such-check'] }, 'checks[1] names an unknown check: no-such-check.'],
    [{ checks: [7] }, 'checks[0] names an unknown check.'],
    [{ options: [] }, 'options must be an object.'],
    [{ options: { nonsense: {} } }, 'options names an unknown check: nonsense.'],
    [{ options: JSON.parse('{"__proto__": {"hours": 1}}') as object }, 'options names an unknown check: __proto__.'],
    [{ options: { 'future-workday': 5 } }, 'options.future-workday must be an object.'],
    [{ options: { 'future-workday': { hours: 5 } } }, 'options.future-workday names an unknown option: hours.'],
    [{ options: { 'unfiled-absence': { constructor: 1 } } }, 'options.unfiled-absence names an unknown option: constructor.'],
    [
      { options: { 'future-workday': { tolerance_seconds: -1 } } },
      'options.future-workday.tolerance_seconds must be a number from 0 to 1000000.',
    ],
    [
      { options: { 'future-workday': { tolerance_seconds: '5' } } },
      'options.future-workday.tolerance_seconds must be a number from 0 to 1000000.',
    ],
    [
      { options: { 'overtime-account-out-of-range': { min_hours: 20, max_hours: 10 } } },
      'options.overtime-account-out-of-range.min_hours lies above max_hours, which is 10.',
    ],
    [
      { options: { 'overtime-account-out-of-range': { min_hours: 60 } } },
      'options.overtime-account-out-of-range.min_hours lies above max_hours, which is 40.',
    ],
    [{ options: { 'insufficient-break': { boundary: 'law' } } }, 'options.insufficient-break.boundary must be spec or statutory.'],
  ])('rejects %j', (line, reason) => {
    expect(judgeSettings(line)).toEqual({ reason });
  });
});

describe('activeChecks', () => {
  it('are all checks without customization, if there are no settings', () => {
    const active = activeChecks(defaultSettings);
    expect(active).toHaveLength(14);
    expect(active.every(({ config }) => Object.keys(config).length === 0)).toBe(true);
  });

  it('are a subset in the order of the table, with customized options', () => {
    const options = { 'delayed-employee-edit': { hours: 48 }, 'future-workday': { tolerance_seconds: 0 } };
    const active = activeChecks({ checks: ['delayed-employee-edit', 'incomplete-workday'], options });
    expect(active.map(({ check, config }) => [check.code, config])).toEqual([
      ['incomplete-workday', {}],
      ['delayed-employee-edit', { hours: 48 }],
    ]);
    expect(activeChecks({ checks: [], options })).toEqual([]);
  });
});
