import { describe, expect, it } from '@jest/globals';
import { seeded } from '../random.js';
import { trendOf, type Sample } from './trend.js';

const MINUTE_MS = 60_000;
const ALLOWANCE = { warmUpMs: 2 * MINUTE_MS, growth: 5 };

/** Once a minute for an hour, of one process that was started with it, unless it is said otherwise. */
function samples(valueAt: (minute: number) => number, { minutes = 60, lifetime = Infinity } = {}): readonly Sample[] {
  return Array.from({ length: minutes }, (_, minute) => {
    const process = Math.floor(minute / lifetime);
    const ageMs = (lifetime === Infinity ? minute : minute % lifetime) * MINUTE_MS;
    return { atMs: minute * MINUTE_MS, value: valueAt(minute), process, ageMs };
  });
}

const next = seeded(7);
/** Up to so much above or below. */
const noise = (most: number): number => (next() * 2 - 1) * most;
const sawtooth = (minute: number): number => (minute % 8) * 10;

describe('what does not grow', () => {
  it.each<[string, readonly Sample[]]>([
    ['what is always the same', samples(() => 0)],
    ['noise', samples(() => 100 + noise(30))],
    ['noise of a few samples', samples(() => 100 + noise(30), { minutes: 9 })],
    ['a sawtooth', samples(sawtooth)],
    ['a sawtooth that ends at its crest', samples(sawtooth, { minutes: 56 })],
    ['one jump that stays', samples((minute) => (minute < 30 ? 100 : 150))],
    ['a last sample that is far off', samples((minute) => (minute === 59 ? 10_000 : 100 + noise(2)))],
    ['what falls', samples((minute) => 100 - minute)],
    ['what grows by less than is allowed', samples((minute) => 100 + minute * 0.08)],
    ['what grows while it warms up', samples((minute) => 100 - 80 * Math.exp(-minute))],
    [
      'a process after the other, each with more than the last',
      samples((minute) => Math.floor(minute / 20) * 50 + noise(2), { lifetime: 20 }),
    ],
  ])('%s', (_, series) => {
    expect(trendOf(series, ALLOWANCE)).toMatchObject({ grows: false });
  });
});

describe('what grows', () => {
  it.each<[string, readonly Sample[], least: number]>([
    ['a leak', samples((minute) => 100 + minute * 0.2), 11],
    ['a leak in noise', samples((minute) => 100 + minute + noise(20)), 40],
    ['a leak under a sawtooth', samples((minute) => sawtooth(minute) + minute), 35],
    ['a leak once in a while', samples((minute) => 20 + 9 * Math.floor(minute / 12)), 5],
    ['a leak that began after half of the time', samples((minute) => 100 + Math.max(0, minute - 30) * 4 + noise(1)), 20],
    // Seen as one series it is a sawtooth.
    ['a leak that every restart ends', samples((minute) => 50 + (minute % 12) * 3, { lifetime: 12 }), 150],
    ['a leak that as few samples show as can', samples((minute) => 100 + minute * 4, { minutes: 7 }), 15],
  ])('%s', (_, series, least) => {
    const trend = trendOf(series, ALLOWANCE);
    expect(trend).toMatchObject({ grows: true });
    expect(trend.leastGrowth).toBeGreaterThanOrEqual(least);
  });

  it('by as much as the samples show', () => {
    expect(
      trendOf(
        samples((minute) => minute * 3 + noise(1)),
        ALLOWANCE,
      ).growth,
    ).toBeCloseTo(57 * 3, -1);
  });
});

describe('what cannot be said', () => {
  it.each<[string, readonly Sample[]]>([
    ['without samples', []],
    ['with four of a process that is warm', samples((minute) => minute * 50, { minutes: 6 })],
    ['with processes that live for too short', samples((minute) => minute * 50, { minutes: 12, lifetime: 4 })],
  ])('%s', (_, series) => {
    expect(trendOf(series, ALLOWANCE).grows).toBeUndefined();
  });
});
