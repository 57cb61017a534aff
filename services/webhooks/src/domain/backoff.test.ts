import { describe, expect, it } from '@jest/globals';
import { pauseAfter, PAUSES_MS, restAfter } from './backoff.js';

const HOUR_MS = 3_600_000;

describe('the pauses between attempts', () => {
  it('end after about a day', () => {
    const inAll = PAUSES_MS.reduce((sum, pause) => sum + pause, 0) / HOUR_MS;
    expect(inAll).toBeGreaterThan(22);
    expect(inAll).toBeLessThan(26);
  });

  it.each([
    [1, 0, 0, 5_000],
    [1, 1, 0, 5_500],
    [2, 0, 0, 60_000],
    [9, 0.5, 0, 10.5 * HOUR_MS],
    [10, 0, 0, undefined],
    // The target may request a longer pause, but not of days.
    [1, 0, 60_000, 60_000],
    [4, 0, 60_000, 30 * 60_000],
    [1, 0, 90 * HOUR_MS, 6 * HOUR_MS],
    [10, 0, 60_000, undefined],
  ])('after failure %d with jitter %d, asked for %d ms: %d', (attempts, random, asked, expected) => {
    expect(pauseAfter(attempts, random, asked)).toBe(expected);
  });

  it.each([
    [0, 5_000],
    [600_000, 60_000],
    [48 * HOUR_MS, 600_000],
  ])('of a webhook that has failed for %d ms: %d', (failed, expected) => {
    expect(restAfter(1_000_000, 1_000_000 + failed)).toBe(expected);
  });
});
