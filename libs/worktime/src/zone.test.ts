import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { formatLocalDateTime, formatLocalTime } from './local-date-time.js';
import { instantAt, localDayOf, offsetAt, startOfLocalDay } from './zone.js';

const BERLIN = 'Europe/Berlin';
const FIRST = 0;
const LAST = Date.UTC(2100, 11, 31) / 1000;

/** Returns the local time of an instant according to Temporal. */
function oracle(instant: number): { offset: number; datetime: string; day: number } {
  const zoned = Temporal.Instant.fromEpochMilliseconds(instant * 1000).toZonedDateTimeISO(BERLIN);
  const day = Date.UTC(zoned.year, zoned.month - 1, zoned.day) / 86_400_000;
  return { offset: zoned.offsetNanoseconds / 1e9, datetime: zoned.toPlainDateTime().toString({ smallestUnit: 'second' }), day };
}

function mine(instant: number): { offset: number; datetime: string; day: number } {
  return { offset: offsetAt(instant), datetime: formatLocalDateTime(instant), day: localDayOf(instant) };
}

/** Returns the instants of a list at which our results differ from Temporal; a single comparison keeps 100,000 of them fast. */
function differences(instants: readonly number[]): number[] {
  return instants.filter((instant) => {
    const expected = oracle(instant);
    const actual = mine(instant);
    return expected.offset !== actual.offset || expected.datetime !== actual.datetime || expected.day !== actual.day;
  });
}

describe('Europe/Berlin', () => {
  it('agrees with Temporal at 100,000 random instants from 1970 to 2100', () => {
    const instants = fc.sample(fc.integer({ min: FIRST, max: LAST }), { numRuns: 100_000, seed: 20_261_025 });
    expect(differences(instants)).toEqual([]);
  });

  it('agrees with Temporal around every clock change from 1980 to 2100, to the second', () => {
    const instants: number[] = [];
    let change = Temporal.ZonedDateTime.from(`1979-01-01T00:00[${BERLIN}]`).getTimeZoneTransition('next');
    while (change !== null && change.year <= 2100) {
      const second = change.epochMilliseconds / 1000;
      for (const distance of [-7201, -7200, -3601, -3600, -1800, -1, 0, 1, 1800, 3599, 3600, 3601, 7200]) instants.push(second + distance);
      change = change.getTimeZoneTransition('next');
    }
    expect(instants.length).toBeGreaterThanOrEqual(2 * 120 * 13);
    expect(differences(instants)).toEqual([]);
  });

  it('agrees with Temporal every ten minutes of both nights of clock changes from 1996 to 2037', () => {
    const instants: number[] = [];
    for (let year = 1996; year <= 2037; year += 1) {
      for (const month of [3, 10]) {
        for (let day = 24; day <= 31; day += 1) {
          const evening = Date.UTC(year, month - 1, day, 21) / 1000;
          if (new Date(evening * 1000).getUTCDay() === 6) for (let step = 0; step < 54; step += 1) instants.push(evening + step * 600);
        }
      }
    }
    expect(differences(instants)).toEqual([]);
  });

  it('finds the instant of every local time like Temporal, including skipped and repeated ones', () => {
    const days = fc.integer({ min: 0, max: 47_846 });
    const changes = fc.constantFrom(20_541, 20_751, 20_905, 21_115);
    fc.assert(
      fc.property(
        fc.oneof(days, changes),
        fc.oneof(fc.integer({ min: 0, max: 86_399 }), fc.integer({ min: 3600, max: 14_400 })),
        (day, second) => {
          const plain = Temporal.PlainDateTime.from('1970-01-01T00:00').add({ days: day, seconds: second });
          expect(instantAt(day, second)).toBe(plain.toZonedDateTime(BERLIN, { disambiguation: 'compatible' }).epochMilliseconds / 1000);
        },
      ),
      { numRuns: 5000 },
    );
  });

  it('has days of 23, 24 and 25 hours', () => {
    const lengths = [20_540, 20_541, 20_751].map((day) => (startOfLocalDay(day + 1) - startOfLocalDay(day)) / 3600);
    expect(lengths).toEqual([24, 23, 25]);
  });

  it('continues with the same rule after 2100 and has no summer time before 1980', () => {
    expect(formatLocalDateTime(Date.UTC(9999, 6, 1, 10) / 1000)).toBe('9999-07-01T12:00:00');
    expect(formatLocalDateTime(Date.UTC(9999, 11, 31, 22, 59, 59) / 1000)).toBe('9999-12-31T23:59:59');
    expect(formatLocalDateTime(Date.UTC(1975, 6, 1, 10) / 1000)).toBe('1975-07-01T11:00:00');
    expect(formatLocalDateTime(-3600)).toBe('1970-01-01T00:00:00');
  });
});

describe('formatLocalTime', () => {
  it.each([
    ['2026-03-29T00:59:59Z', '01:59'],
    ['2026-03-29T01:00:00Z', '03:00'],
    ['2026-10-25T00:59:59Z', '02:59'],
    ['2026-10-25T01:00:00Z', '02:00'],
    ['2026-12-31T23:00:00Z', '00:00'],
  ])('formats %s as %s', (utc, expected) => {
    expect(formatLocalTime(Date.parse(utc) / 1000)).toBe(expected);
  });
});
