import { describe, expect, it } from '@jest/globals';
import { nearest } from './nearest.js';

describe('nearest', () => {
  it.each([
    ['frist-name', 'first-name'],
    ['First-Name', 'first-name'],
    ['credit-time', 'credit-time:hours'],
    ['credit_time:hours', 'credit-time:hours'],
    ['xyz', undefined],
    ['', undefined],
    ['v'.repeat(65), undefined],
  ])('suggests for %j the choice %j', (text, choice) => {
    expect(nearest(text, ['last-name', 'first-name', 'credit-time:hours', 'credit-time:days'])).toBe(choice);
  });
});
