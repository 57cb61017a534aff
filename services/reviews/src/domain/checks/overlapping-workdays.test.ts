import { describe, expect, it } from '@jest/globals';
import { formatLocalDate } from '@stechuhr/worktime';
import fc from 'fast-check';
import { day, findIn, moment, workday } from '../test-support.js';
import { overlappingWorkdays } from './overlapping-workdays.js';

const MAY = { year: 2026, month: 5 };
const shown = (...given: Parameters<typeof findIn> extends [unknown, ...infer Rest] ? Rest : never) =>
  findIn(overlappingWorkdays, ...given).map(({ date, references, context }) => [
    formatLocalDate(date),
    references.map(([, id]) => id).join(' & '),
    context.overlap_seconds,
  ]);

describe('overlapping-workdays', () => {
  it('names both workdays, the earlier first', () => {
    const found = findIn(overlappingWorkdays, [
      workday('2026-05-04', '12:00', '18:00', { id: 'b' }),
      workday('2026-05-04', '08:00', '13:30', { id: 'a' }),
    ]);
    expect(found).toEqual([
      {
        date: day('2026-05-04'),
        references: [
          ['workday', 'a'],
          ['workday', 'b'],
        ],
        context: { overlap_seconds: 5400 },
        details: 'Zwei Arbeitstage vom 04.05.2026 überschneiden sich um 90 Minuten.',
      },
    ]);
  });

  it('names the dates of both where they are two', () => {
    const night = workday('2026-05-04', '20:00', '23:30');
    const found = findIn(overlappingWorkdays, [night, { ...workday('2026-05-04', '22:30', '23:45'), date: day('2026-05-05') }]);
    expect(found.map(({ details }) => details)).toEqual([
      'Die Arbeitstage vom 04.05.2026 und 05.05.2026 überschneiden sich um 60 Minuten.',
    ]);
  });

  it.each([
    ['that touch', '12:00', {}, 0],
    ['that share a second', '11:59:59', {}, 1],
    ['that share as much as is tolerated', '11:59:00', { tolerance_seconds: 60 }, 0],
    ['that share a second more', '11:58:59', { tolerance_seconds: 60 }, 1],
  ])('two %s', (_, start, options, count) => {
    const pair = [workday('2026-05-04', '08:00', '12:00'), workday('2026-05-04', start, '18:00')];
    expect(findIn(overlappingWorkdays, pair, { options })).toHaveLength(count);
  });

  it('finds each pair of three once', () => {
    const three = [
      workday('2026-05-04', '08:00', '18:00', { id: 'a' }),
      workday('2026-05-04', '09:00', '11:00', { id: 'b' }),
      workday('2026-05-04', '10:00', '12:00', { id: 'c' }),
      workday('2026-05-04', '13:00', '13:00', { id: 'empty' }),
    ];
    expect(shown(three)).toEqual([
      ['2026-05-04', 'a & b', 7200],
      ['2026-05-04', 'a & c', 7200],
      ['2026-05-04', 'b & c', 3600],
    ]);
  });

  it('names at most the ten longest overlaps of a workday', () => {
    // A device that sends a shift repeatedly, each time with another id and a later end.
    const repeated = Array.from({ length: 300 }, (_, n) =>
      workday('2026-05-04', '08:00', `12:0${String(Math.floor(n / 60))}:${String(n % 60).padStart(2, '0')}`, {
        id: String(n).padStart(3, '0'),
      }),
    );
    const found = findIn(overlappingWorkdays, repeated);
    expect(found).toHaveLength(45 + 290 * 10);
    const ofLast = found.filter(({ references }) => references[1]?.[1] === '299').map(({ references }) => references[0]?.[1]);
    expect(ofLast.toSorted()).toEqual(['289', '290', '291', '292', '293', '294', '295', '296', '297', '298']);
  });

  it('names only the longest overlap of each workday if there are more than a thousand', () => {
    const clock = (second: number) =>
      `${String(8 + Math.floor(second / 3600)).padStart(2, '0')}:${twoDigits((second / 60) % 60)}:${twoDigits(second % 60)}`;
    const repeated = (count: number) =>
      Array.from({ length: count }, (_, n) => workday('2026-05-04', '08:00', clock(3600 + n), { id: String(n).padStart(4, '0') }));
    expect(findIn(overlappingWorkdays, repeated(1_000))).toHaveLength(45 + 990 * 10);
    const found = findIn(overlappingWorkdays, repeated(1_001));
    expect(found).toHaveLength(1_000);
    expect(found.at(-1)?.references).toEqual([
      ['workday', '0999'],
      ['workday', '1000'],
    ]);
  });

  it('finds every pair if no more than ten overlap', () => {
    const starts = fc.array(fc.tuple(fc.nat(30), fc.nat(12)), { minLength: 1, maxLength: 11 });
    fc.assert(
      fc.property(starts, (times) => {
        const clock = (minutes: number) => `08:${String(minutes).padStart(2, '0')}`;
        const all = times.map(([start, length], n) => workday('2026-05-04', clock(start), clock(start + length), { id: String(n + 10) }));
        const pairs = all.flatMap((one, n) => all.slice(n + 1).map((other) => [one, other] as const));
        const sharing = pairs.filter(
          ([one, other]) =>
            Math.min(one.endedAt ?? 0, other.endedAt ?? 0) > Math.max(one.startedAt, other.startedAt) &&
            one.startedAt !== one.endedAt &&
            other.startedAt !== other.endedAt,
        );
        const names = findIn(overlappingWorkdays, all).map(({ references }) =>
          references
            .map(([, id]) => id)
            .toSorted()
            .join(),
        );
        expect(names.toSorted()).toEqual(
          sharing
            .map((pair) =>
              pair
                .map(({ id }) => id)
                .toSorted()
                .join(),
            )
            .toSorted(),
        );
      }),
    );
  });

  it('treats the one with the greater id as the later of two with the same start', () => {
    const pair = [workday('2026-05-05', '2026-05-04T22:00', '06:00', { id: 'b' }), workday('2026-05-04', '22:00', '23:00', { id: 'a' })];
    expect(shown(pair)).toEqual([['2026-05-05', 'a & b', 3600]]);
  });

  it('shows a pair in the month of the later one', () => {
    const pair = [workday('2026-04-30', '22:00', '2026-05-01T06:00', { id: 'a' }), workday('2026-05-01', '05:00', '09:00', { id: 'b' })];
    expect(shown(pair)).toEqual([['2026-05-01', 'a & b', 3600]]);
    expect(shown(pair, { moment: moment({ year: 2026, month: 4 }) })).toEqual([]);
    const byDate = [
      workday('2026-06-01', '2026-05-31T23:00', '2026-06-01T06:00', { id: 'a' }),
      workday('2026-05-31', '23:30', '2026-06-01T00:30', { id: 'b' }),
    ];
    expect(shown(byDate)).toEqual([['2026-05-31', 'a & b', 3600]]);
  });

  it.each<[string, string, string, string, number | undefined]>([
    ['until now', '2026-05-05T09:00:00', '2026-05-05', '08:00', 3600],
    ['and no longer', '2026-05-05T08:00:00', '2026-05-05', '08:00', undefined],
    ['for 24 hours', '2026-05-20T12:00:00', '2026-05-05', '11:59:59', 1],
    ['and no longer than 24 hours', '2026-05-20T12:00:00', '2026-05-05', '12:00', undefined],
  ])('assumes that an open workday lasts %s', (_, ...[now, date, start, seconds]) => {
    const open = workday('2026-05-04', '12:00', null, { id: 'a' });
    const found = shown([open, workday(date, start, '20:00', { id: 'b' })], { moment: moment(MAY, now) });
    expect(found).toEqual(seconds === undefined ? [] : [[date, 'a & b', seconds]]);
  });

  it('ignores an open workday that has not started', () => {
    const future = workday('2026-05-06', '08:00', null);
    expect(shown([future, workday('2026-05-06', '07:00', '09:00')], { moment: moment(MAY, '2026-05-05T12:00:00') })).toEqual([]);
  });

  it('measures elapsed time when clocks change', () => {
    const pair = [workday('2026-03-28', '22:00', '2026-03-29T04:00', { id: 'a' }), workday('2026-03-29', '01:00', '08:00', { id: 'b' })];
    expect(shown(pair, { moment: moment({ year: 2026, month: 3 }) })).toEqual([['2026-03-29', 'a & b', 7200]]);
    const autumn = [workday('2026-10-24', '22:00', '2026-10-25T04:00', { id: 'a' }), workday('2026-10-25', '01:00', '08:00', { id: 'b' })];
    expect(shown(autumn, { moment: moment({ year: 2026, month: 10 }) })).toEqual([['2026-10-25', 'a & b', 14_400]]);
  });
});

function twoDigits(value: number): string {
  return String(Math.floor(value)).padStart(2, '0');
}
