import { describe, expect, it } from '@jest/globals';
import { seeded } from '../random.js';
import { trendOf, type Sample } from './trend.js';

const MINUTE_MS = 60_000;
const ALLOWANCE = { warmUpMs: 2 * MINUTE_MS, growth: 5 };

/** Returns one sample per minute, by default for an hour and of a single process. */
function samples(valueAt: (minute: number) => number, { minutes = 60, lifetime = Infinity } = {}): readonly Sample[] {
  return Array.from({ length: minutes }, (_, minute) => {
    const process = Math.floor(minute / lifetime);
    const ageMs = (lifetime === Infinity ? minute : minute % lifetime) * MINUTE_MS;
    return { atMs: minute * MINUTE_MS, value: valueAt(minute), process, ageMs };
  });
}

const next = seeded(7);
/** Returns a random number between `-most` and `most`. */
const noise = (most: number): number => (next() * 2 - 1) * most;
const sawtooth = (minute: number): number => (minute % 8) * 10;

describe('does not report as growing:', () => {
  it.each<[string, readonly Sample[]]>([
    ['a constant', samples(() => 0)],
    ['noise', samples(() => 100 + noise(30))],
    ['noise of a few samples', samples(() => 100 + noise(30), { minutes: 9 })],
    ['a sawtooth', samples(sawtooth)],
    ['a sawtooth that ends at its crest', samples(sawtooth, { minutes: 56 })],
    ['a single permanent jump', samples((minute) => (minute < 30 ? 100 : 150))],
    ['an outlier as last sample', samples((minute) => (minute === 59 ? 10_000 : 100 + noise(2)))],
    ['what falls', samples((minute) => 100 - minute)],
    ['growth below the allowance', samples((minute) => 100 + minute * 0.08)],
    ['growth during the warm-up', samples((minute) => 100 - 80 * Math.exp(-minute))],
    [
      'successive processes, each with more than the previous one',
      samples((minute) => Math.floor(minute / 20) * 50 + noise(2), { lifetime: 20 }),
    ],
  ])('%s', (_, series) => {
    expect(trendOf(series, ALLOWANCE)).toMatchObject({ grows: false });
  });
});

describe('reports as growing:', () => {
  it.each<[string, readonly Sample[], least: number]>([
    ['a leak', samples((minute) => 100 + minute * 0.2), 11],
    ['a leak with noise', samples((minute) => 100 + minute + noise(20)), 40],
    ['a leak under a sawtooth', samples((minute) => sawtooth(minute) + minute), 35],
    ['a leak in rare steps', samples((minute) => 20 + 9 * Math.floor(minute / 12)), 5],
    ['a leak that began after half of the time', samples((minute) => 100 + Math.max(0, minute - 30) * 4 + noise(1)), 20],
    // Without distinguishing processes, this would be a sawtooth.
    ['a leak that is reset by every restart', samples((minute) => 50 + (minute % 12) * 3, { lifetime: 12 }), 150],
    ['a leak with the minimum number of samples', samples((minute) => 100 + minute * 4, { minutes: 7 }), 15],
  ])('%s', (_, series, least) => {
    const trend = trendOf(series, ALLOWANCE);
    expect(trend).toMatchObject({ grows: true });
    expect(trend.leastGrowth).toBeGreaterThanOrEqual(least);
  });

  it('the estimated and the minimum growth', () => {
    expect(
      trendOf(
        samples((minute) => minute * 3 + noise(1)),
        ALLOWANCE,
      ).growth,
    ).toBeCloseTo(57 * 3, -1);
  });
});

describe('is undecided', () => {
  it.each<[string, readonly Sample[]]>([
    ['without samples', []],
    ['with only four samples after the warm-up', samples((minute) => minute * 50, { minutes: 6 })],
    ['with processes that run too briefly', samples((minute) => minute * 50, { minutes: 12, lifetime: 4 })],
  ])('%s', (_, series) => {
    expect(trendOf(series, ALLOWANCE).grows).toBeUndefined();
  });
});
