import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { day, findIn, moment, workday, type RecordedWorkday } from '../test-support.js';
import { insufficientBreak } from './insufficient-break.js';

const date = '2026-05-04';
type Span = readonly [string, string];
const seen = (end: string, breaks: readonly Span[], options = {}) =>
  findIn(insufficientBreak, [workday(date, '08:00', end, { breaks })], { options });
const figures = (found: ReturnType<typeof seen>) =>
  found.map(({ context }) => [context.net_working_seconds, context.actual_break_seconds, context.required_break_seconds]);

describe('insufficient-break', () => {
  it('reports worked, taken and required time', () => {
    expect(seen('14:20', [['12:00', '12:20']])).toEqual([
      {
        date: day(date),
        references: [['workday', '2026-05-04T08:00']],
        context: { net_working_seconds: 21_600, actual_break_seconds: 1200, required_break_seconds: 1800 },
        details: 'Verdacht: Am 04.05.2026 stehen 6 Stunden Arbeit nur 20 Minuten Pause gegenüber, nötig sind 30 Minuten.',
      },
    ]);
  });

  it.each<[string, string, readonly Span[], readonly number[] | undefined]>([
    ['5:59:59 of work without a break', '13:59:59', [], undefined],
    ['6:00:00 of work without a break', '14:00:00', [], [21_600, 0, 1800]],
    ['6:00:00 of work with 29:59 of break', '14:29:59', [['12:00', '12:29:59']], [21_600, 1799, 1800]],
    ['6:00:00 of work with 30:00 of break', '14:30:00', [['12:00', '12:30']], undefined],
    ['8:59:59 of work with 30:00 of break', '17:29:59', [['12:00', '12:30']], undefined],
    ['9:00:00 of work with 30:00 of break', '17:30:00', [['12:00', '12:30']], [32_400, 1800, 2700]],
    ['9:00:00 of work with 44:59 of break', '17:44:59', [['12:00', '12:44:59']], [32_400, 2699, 2700]],
    ['9:00:00 of work with 45:00 of break', '17:45:00', [['12:00', '12:45']], undefined],
    [
      'two pieces of 15 minutes',
      '14:30',
      [
        ['10:00', '10:15'],
        ['12:00', '12:15'],
      ],
      undefined,
    ],
    [
      'a piece a second too short to count',
      '14:30',
      [
        ['10:00', '10:14:59'],
        ['12:00', '12:15'],
      ],
      [21_601, 900, 1800],
    ],
    [
      'adjacent short pieces',
      '14:30',
      [
        ['10:00', '10:10'],
        ['10:10', '10:30'],
      ],
      undefined,
    ],
    [
      'pieces that overlap',
      '14:20',
      [
        ['10:00', '10:15'],
        ['10:10', '10:20'],
      ],
      [21_600, 1200, 1800],
    ],
    ['a break of which only ten minutes lie inside', '14:10', [['14:00', '15:00']], [21_600, 0, 1800]],
  ])('%s', (_, end, breaks, expected) => {
    expect(figures(seen(end, breaks))).toEqual(expected === undefined ? [] : [expected]);
  });

  it.each([
    ['14:00:00', 0],
    ['14:00:01', 1],
  ])('applies the statutory boundary if configured: from 08:00 to %s', (end, count) => {
    expect(seen(end, [], { boundary: 'statutory' })).toHaveLength(count);
  });

  it('requires 45 minutes after more than nine hours with the statutory boundary', () => {
    const lunch: Span[] = [['12:00', '12:30']];
    expect(seen('17:30:00', lunch, { boundary: 'statutory' })).toEqual([]);
    expect(figures(seen('17:30:01', lunch, { boundary: 'statutory' }))).toEqual([[32_401, 1800, 2700]]);
  });

  it('applies the configured minimum length of pieces', () => {
    const pieces: Span[] = [
      ['10:00', '10:10'],
      ['12:00', '12:20'],
    ];
    expect(figures(seen('14:30', pieces))).toEqual([[21_600, 1200, 1800]]);
    expect(seen('14:30', pieces, { min_piece_minutes: 10 })).toEqual([]);
    expect(figures(seen('14:30', [['12:00', '12:30']], { min_piece_minutes: 30.5 }))).toEqual([[21_600, 0, 1800]]);
  });

  it('checks the workdays of a date together and counts the gap between them as a break', () => {
    const pair = (secondStart: string) => [workday(date, '08:00', '12:00', { id: 'b' }), workday(date, secondStart, '18:00', { id: 'a' })];
    expect(findIn(insufficientBreak, pair('12:45'))).toEqual([]);
    expect(findIn(insufficientBreak, pair('12:30'))).toMatchObject([
      {
        references: [
          ['workday', 'b'],
          ['workday', 'a'],
        ],
        context: { net_working_seconds: 34_200, actual_break_seconds: 1800, required_break_seconds: 2700 },
      },
    ]);
  });

  it('joins a gap with the break before it', () => {
    const workdays = [
      workday(date, '08:00', '12:00', { breaks: [['11:50', '12:00']] }),
      workday(date, '12:10', '15:00'),
      workday(date, '15:10', '16:00'),
    ];
    // 11:50 to 12:10 counts; 15:00 to 15:10 is too short. The work is 3:50 + 2:50 + 0:50.
    expect(figures(findIn(insufficientBreak, workdays))).toEqual([[27_000, 1200, 1800]]);
  });

  it('checks gaps on the union of presence', () => {
    const workdays = [workday(date, '08:00', '16:00'), workday(date, '09:00', '10:00'), workday(date, '12:00', '12:00')];
    expect(figures(findIn(insufficientBreak, workdays))).toEqual([[32_400, 0, 2700]]);
  });

  it('checks only workdays that have ended', () => {
    const workdays = [workday(date, '06:00', '12:00'), workday(date, '12:10', '13:00')];
    const asOf = (now: string) => figures(findIn(insufficientBreak, workdays, { moment: moment({ year: 2026, month: 5 }, now) }));
    expect(asOf('2026-05-04T11:59:59')).toEqual([]);
    expect(asOf('2026-05-04T12:59:59')).toEqual([[21_600, 0, 1800]]);
    expect(asOf('2026-05-04T13:00:00')).toEqual([[24_600, 0, 1800]]);
  });

  it('measures elapsed time in the nights when clocks change', () => {
    const night = (on: string, month: number, end: string) =>
      findIn(insufficientBreak, [workday(on, '00:00', end)], { moment: moment({ year: 2026, month }, '2026-12-01T00:00:00') }).length;
    expect([night('2026-03-29', 3, '06:59:59'), night('2026-03-29', 3, '07:00')]).toEqual([0, 1]);
    expect([night('2026-10-25', 10, '04:59:59'), night('2026-10-25', 10, '05:00')]).toEqual([0, 1]);
  });

  it('is found on the date of the workday, not on that of its end', () => {
    const night = workday('2026-04-30', '22:00', '2026-05-01T06:00');
    expect(findIn(insufficientBreak, [night])).toEqual([]);
    expect(findIn(insufficientBreak, [night], { moment: moment({ year: 2026, month: 4 }) })).toMatchObject([{ date: day('2026-04-30') }]);
  });

  it('is never created by adding a break', () => {
    const minutes = fc.integer({ min: 0, max: 17 * 60 });
    const pause = fc.tuple(minutes, minutes).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);
    const build = (spans: readonly (readonly [number, number])[], pauses: readonly (readonly [number, number])[]): RecordedWorkday[] =>
      spans.map(([from, to], index) =>
        workday(date, clock(from), clock(to), { id: String(index), breaks: pauses.map(([a, b]) => [clock(a), clock(b)]) }),
      );
    fc.assert(
      fc.property(fc.array(pause, { minLength: 1, maxLength: 3 }), fc.array(pause, { maxLength: 3 }), pause, (spans, pauses, added) => {
        const before = findIn(insufficientBreak, build(spans, pauses));
        const after = findIn(insufficientBreak, build(spans, [...pauses, added]));
        expect(after.length).toBeLessThanOrEqual(before.length);
      }),
    );
  });
});

/** Returns the time this many minutes after 06:00. */
function clock(minutes: number): string {
  const ofDay = minutes + 360;
  return `${String(Math.floor(ofDay / 60)).padStart(2, '0')}:${String(ofDay % 60).padStart(2, '0')}`;
}
