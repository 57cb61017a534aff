import { describe, expect, it } from '@jest/globals';
import { secondsBetween } from './clock.js';

describe('secondsBetween', () => {
  it.each([
    ['two instants', 1_000, 3_500, 2.5],
    ['equal instants', 1_000, 1_000, 0],
    ['an instant after the clock was set back by ten minutes', 600_000, 1_000, 0],
  ])('of %s', (_, earlier, later, seconds) => {
    expect(secondsBetween(earlier, later)).toBe(seconds);
  });
});
