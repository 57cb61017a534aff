import { describe, expect, it } from '@jest/globals';
import { windowOf } from './intervals.js';
import { at, hours, range, workday } from './test-support.js';
import { breaksOf, workdaySeconds } from './workday-time.js';

describe('workdaySeconds', () => {
  it.each([
    ['a plain day', workday('2026-05-04T08:00', '2026-05-04T16:30', { breaks: [['2026-05-04T12:00', '2026-05-04T12:30']] }), 8.5, 0.5],
    ['a workday without break', workday('2026-05-04T08:00', '2026-05-04T12:00'), 4, 0],
    ['an open workday', workday('2026-05-04T08:00', null, { breaks: [['2026-05-04T12:00', '2026-05-04T12:30']] }), 0, 0],
    ['a workday without length', workday('2026-05-04T08:00', '2026-05-04T08:00'), 0, 0],
    ['an open break', workday('2026-05-04T08:00', '2026-05-04T16:00', { breaks: [['2026-05-04T15:00', null]] }), 8, 1],
    [
      'a break that ends after the workday',
      workday('2026-05-04T08:00', '2026-05-04T16:00', { breaks: [['2026-05-04T15:30', '2026-05-04T18:00']] }),
      8,
      0.5,
    ],
    [
      'a break before the start',
      workday('2026-05-04T08:00', '2026-05-04T16:00', { breaks: [['2026-05-04T07:00', '2026-05-04T08:15']] }),
      8,
      0.25,
    ],
    ['a break outside', workday('2026-05-04T08:00', '2026-05-04T16:00', { breaks: [['2026-05-04T17:00', '2026-05-04T18:00']] }), 8, 0],
    [
      'breaks that overlap, in any order',
      workday('2026-05-04T08:00', '2026-05-04T16:00', {
        breaks: [
          ['2026-05-04T12:15', '2026-05-04T13:00'],
          ['2026-05-04T12:00', '2026-05-04T12:30'],
          ['2026-05-04T14:00', '2026-05-04T14:15'],
        ],
      }),
      8,
      1.25,
    ],
    ['work timespans only', workday('2026-05-04T08:00', '2026-05-04T16:00', { work: [['2026-05-04T08:00', '2026-05-04T09:00']] }), 8, 0],
    [
      'a night shift in March',
      workday('2026-03-28T22:00', '2026-03-29T06:00', { breaks: [['2026-03-29T01:30', '2026-03-29T03:30']] }),
      7,
      1,
    ],
    [
      'a night shift in October',
      workday('2026-10-24T22:00', '2026-10-25T06:00', { breaks: [['2026-10-25T01:30', '2026-10-25T03:30']] }),
      9,
      3,
    ],
    ['the repeated hour alone', workday('2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z'), 1, 0],
    [
      'an end before the start',
      workday('2026-05-04T16:00', '2026-05-04T08:00', { breaks: [['2026-05-04T12:00', '2026-05-04T12:30']] }),
      0,
      0,
    ],
  ])('returns the seconds of %s', (_, given, gross, breaks) => {
    expect(workdaySeconds(given)).toEqual({ gross: hours(gross), breaks: hours(breaks), net: hours(gross - breaks) });
  });

  it('splits a night shift, and a break over midnight, at the border of the period', () => {
    const shift = workday('2026-01-31T20:00', '2026-02-01T04:00', { breaks: [['2026-01-31T23:30', '2026-02-01T00:45']] });
    expect(workdaySeconds(shift, windowOf(range('2026-01-01', '2026-01-31')))).toEqual({
      gross: hours(4),
      breaks: hours(0.5),
      net: hours(3.5),
    });
    expect(workdaySeconds(shift, windowOf(range('2026-02-01', '2026-02-28')))).toEqual({
      gross: hours(4),
      breaks: hours(0.75),
      net: hours(3.25),
    });
    expect(workdaySeconds(shift, windowOf(range('2026-03-01', '2026-03-31')))).toEqual({ gross: 0, breaks: 0, net: 0 });
  });
});

describe('breaksOf', () => {
  it('returns disjoint, sorted breaks inside the workday', () => {
    const given = workday('2026-05-04T08:00', '2026-05-04T16:00', {
      breaks: [
        ['2026-05-04T15:00', null],
        ['2026-05-04T07:00', '2026-05-04T08:15'],
        ['2026-05-04T15:30', '2026-05-04T17:00'],
      ],
    });
    expect(breaksOf(given)).toEqual([
      { from: at('2026-05-04T08:00'), to: at('2026-05-04T08:15') },
      { from: at('2026-05-04T15:00'), to: at('2026-05-04T16:00') },
    ]);
  });
});
