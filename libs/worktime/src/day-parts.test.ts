import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { dayParts } from './day-parts.js';
import { ALWAYS, windowOf } from './intervals.js';
import { formatLocalDate } from './local-date.js';
import { formatLocalTime } from './local-date-time.js';
import type { Workday } from './records.js';
import { range, workday } from './test-support.js';
import { workdaySeconds } from './workday-time.js';
import { localDayOf } from './zone.js';

/** Parts as [date, gross, breaks, net, night] in hours. */
function table(given: Workday, window = ALWAYS): (string | number)[][] {
  return dayParts(given, window).map((part) => [
    formatLocalDate(part.day),
    ...[part.gross, part.breaks, part.net, part.night].map((seconds) => seconds / 3600),
  ]);
}

describe('dayParts', () => {
  it.each([
    [
      'a day shift',
      workday('2026-05-04T08:00', '2026-05-04T16:30', { breaks: [['2026-05-04T12:00', '2026-05-04T12:30']] }),
      [['2026-05-04', 8.5, 0.5, 8, 0]],
    ],
    ['an open workday', workday('2026-05-04T08:00', null), []],
    ['a workday without length', workday('2026-05-04T08:00', '2026-05-04T08:00'), []],
    ['a workday with night work on both ends', workday('2026-05-04T05:00', '2026-05-04T23:30'), [['2026-05-04', 18.5, 0, 18.5, 1.5]]],
    ['an end at midnight', workday('2026-05-04T20:00', '2026-05-05T00:00'), [['2026-05-04', 4, 0, 4, 1]]],
    [
      'a start at 23:00 and an end at 06:00',
      workday('2026-05-04T23:00', '2026-05-05T06:00'),
      [
        ['2026-05-04', 1, 0, 1, 1],
        ['2026-05-05', 6, 0, 6, 6],
      ],
    ],
    [
      'a night shift in March: the skipped hour does not count',
      workday('2026-03-28T22:00', '2026-03-29T06:00', { breaks: [['2026-03-29T01:30', '2026-03-29T03:30']] }),
      [
        ['2026-03-28', 2, 0, 2, 1],
        ['2026-03-29', 5, 1, 4, 4],
      ],
    ],
    [
      'a night shift in October: the repeated hour counts twice',
      workday('2026-10-24T22:00', '2026-10-25T06:00', { breaks: [['2026-10-25T01:30', '2026-10-25T03:30']] }),
      [
        ['2026-10-24', 2, 0, 2, 1],
        ['2026-10-25', 7, 3, 4, 4],
      ],
    ],
    [
      'a break over midnight',
      workday('2026-01-31T20:00', '2026-02-01T07:00', { breaks: [['2026-01-31T22:30', '2026-02-01T00:30']] }),
      [
        ['2026-01-31', 4, 1.5, 2.5, 0],
        ['2026-02-01', 7, 0.5, 6.5, 5.5],
      ],
    ],
    [
      'a workday over three dates',
      workday('2026-05-04T12:00', '2026-05-06T12:00'),
      [
        ['2026-05-04', 12, 0, 12, 1],
        ['2026-05-05', 24, 0, 24, 7],
        ['2026-05-06', 12, 0, 12, 6],
      ],
    ],
    [
      'a workday that consists of a break',
      workday('2026-05-04T01:00', '2026-05-04T05:00', { breaks: [['2026-05-04T00:00', null]] }),
      [['2026-05-04', 4, 4, 0, 0]],
    ],
  ])('returns the parts of %s', (_, given, expected) => {
    expect(table(given)).toEqual(expected);
  });

  it('returns only the parts inside the period', () => {
    const shift = workday('2026-01-31T20:00', '2026-02-01T07:00', { breaks: [['2026-01-31T22:30', '2026-02-01T00:30']] });
    expect(table(shift, windowOf(range('2026-02-01', '2026-02-28')))).toEqual([['2026-02-01', 7, 0.5, 6.5, 5.5]]);
    expect(table(shift, windowOf(range('2026-02-02', '2026-02-28')))).toEqual([]);
  });
});

/** Workdays of up to three days around both changes of 2026, by the minute, breaks in any order. */
const anyWorkday = fc
  .record({
    start: fc.constantFrom('2026-03-28T12:00', '2026-10-24T12:00', '2026-12-31T12:00'),
    lead: fc.integer({ min: 0, max: 1440 }),
    minutes: fc.integer({ min: 0, max: 3000 }),
    breaks: fc.array(fc.tuple(fc.integer({ min: -60, max: 3000 }), fc.integer({ min: 0, max: 400 }), fc.boolean()), { maxLength: 5 }),
  })
  .map(({ start, lead, minutes, breaks }): Workday => {
    const base = workday(start, null).startedAt + lead * 60;
    const timespans = breaks.map(([from, length, open], index) => ({
      id: String(index),
      type: 'break' as const,
      startedAt: base + from * 60,
      endedAt: open ? null : base + (from + length) * 60,
      projectId: null,
      comment: null,
    }));
    return { id: 'any', date: localDayOf(base), startedAt: base, endedAt: base + minutes * 60, timespans };
  });

/** The same totals, counted minute by minute from what the clock shows. */
function countMinutes(given: Workday): Map<string, { net: number; night: number }> {
  const end = given.endedAt ?? given.startedAt;
  const days = new Map<string, { net: number; night: number }>();
  for (let minute = given.startedAt; minute < end; minute += 60) {
    const date = formatLocalDate(localDayOf(minute));
    const total = days.get(date) ?? { net: 0, night: 0 };
    days.set(date, total);
    if (given.timespans.some((span) => minute >= span.startedAt && minute < (span.endedAt ?? end))) continue;
    total.net += 60;
    const time = formatLocalTime(minute);
    if (time < '06:00' || time >= '23:00') total.night += 60;
  }
  return days;
}

describe('parts of any workday', () => {
  it('add up to the workday', () => {
    fc.assert(
      fc.property(anyWorkday, (given) => {
        const sum = { gross: 0, breaks: 0, net: 0 };
        for (const part of dayParts(given)) {
          sum.gross += part.gross;
          sum.breaks += part.breaks;
          sum.net += part.net;
          expect(part.gross).toBe(part.breaks + part.net);
          expect(part.night).toBeLessThanOrEqual(part.net);
        }
        expect(sum).toEqual(workdaySeconds(given));
      }),
    );
  });

  it('equal counting minute by minute', () => {
    fc.assert(
      fc.property(anyWorkday, (given) => {
        const parts = new Map(dayParts(given).map(({ day, net, night }) => [formatLocalDate(day), { net, night }]));
        expect(parts).toEqual(countMinutes(given));
      }),
    );
  });

  it('do not change if the period is split at any instant', () => {
    fc.assert(
      fc.property(anyWorkday, fc.integer({ min: -60, max: 4000 }), (given, minutes) => {
        const cut = given.startedAt + minutes * 60;
        const before = dayParts(given, { from: -Infinity, to: cut });
        const after = dayParts(given, { from: cut, to: Infinity });
        const night = [...before, ...after].reduce((sum, part) => sum + part.night, 0);
        expect(night).toBe(dayParts(given).reduce((sum, part) => sum + part.night, 0));
        const net = [...before, ...after].reduce((sum, part) => sum + part.net, 0);
        expect(net).toBe(workdaySeconds(given).net);
      }),
    );
  });
});
