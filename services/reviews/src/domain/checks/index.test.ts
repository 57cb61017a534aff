import { describe, expect, it } from '@jest/globals';
import { groups } from '../groups.js';
import { checks } from './index.js';

describe('the table of checks', () => {
  it('has the checks of the spec', () => {
    expect(checks.map(({ code }) => code)).toEqual([
      'incomplete-workday',
      'unfiled-absence',
      'pending-absence-application',
      'overlapping-workdays',
      'unbalanced-worktime',
      'future-workday',
      'insufficient-break',
      'excessive-daily-hours',
      'insufficient-rest-period',
      'excessive-weekly-hours',
      'zero-duration-timespan',
      'excessive-session-fragmentation',
      'overtime-account-out-of-range',
      'delayed-employee-edit',
    ]);
  });

  it('has a check for every group', () => {
    expect(groups.map(({ value }) => checks.filter(({ group }) => group === value).length)).toEqual([3, 3, 4, 4]);
  });

  it('has the options that are documented, with their defaults', () => {
    const options = checks.map(({ code, options: table }) => [code, Object.entries(table).map(([name, option]) => [name, option.default])]);
    expect(Object.fromEntries(options)).toEqual({
      'incomplete-workday': [['open_hours', 18]],
      'unfiled-absence': [],
      'pending-absence-application': [],
      'overlapping-workdays': [['tolerance_seconds', 0]],
      'unbalanced-worktime': [['tolerance_seconds', 60]],
      'future-workday': [['tolerance_seconds', 300]],
      'insufficient-break': [
        ['boundary', 'spec'],
        ['min_piece_minutes', 15],
      ],
      'excessive-daily-hours': [['max_hours', 10]],
      'insufficient-rest-period': [['min_hours', 11]],
      'excessive-weekly-hours': [['max_hours', 48]],
      'zero-duration-timespan': [],
      'excessive-session-fragmentation': [['max_sessions', 10]],
      'overtime-account-out-of-range': [
        ['min_hours', -40],
        ['max_hours', 40],
      ],
      'delayed-employee-edit': [['hours', 168]],
    });
  });

  it.each(checks.map((check) => [check.code, check] as const))('explains %s with its legal basis', (_, check) => {
    expect(check.severity).toBe('error');
    expect(check.title).not.toBe('');
    expect(check.description).toMatch(/§ \d+/);
    expect(check.title.startsWith('Verdacht')).toBe(check.group === 'legal-violations');
  });
});
