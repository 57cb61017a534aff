import { describe, expect, it } from '@jest/globals';
import { nearest } from './nearest.js';

describe('nearest', () => {
  it.each([
    ['frist-name', 'first-name'],
    ['First-Name', 'first-name'],
    ['credit-time', 'credit-time:hours'],
    ['credit_time:hours', 'credit-time:hours'],
    ['credit-time:day', 'credit-time:days'],
    ['credit-time:weeks', 'credit-time:hours'],
    ['xyz', undefined],
    ['', undefined],
    ['v'.repeat(65), undefined],
  ])('suggests for %j the choice %j', (text, choice) => {
    expect(nearest(text, ['last-name', 'first-name', 'credit-time:hours', 'credit-time:days'])).toBe(choice);
  });

  it.each([
    ['cvs', 'csv'],
    ['jsno', 'json'],
    ['xls', 'xlsx'],
    ['jsn', 'json'],
    ['pdf', undefined],
    ['ods', undefined],
    ['a', undefined],
  ])('suggests for the short text %j the choice %j', (text, choice) => {
    expect(nearest(text, ['csv', 'json', 'xlsx'])).toBe(choice);
  });
});
