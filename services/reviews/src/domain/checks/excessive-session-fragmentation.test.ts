import { describe, expect, it } from '@jest/globals';
import { day, findIn, workday } from '../test-support.js';
import { excessiveSessionFragmentation } from './excessive-session-fragmentation.js';

const date = '2026-05-04';
/** Returns this number of work timespans of half an hour from 08:00 on, one every hour. */
const sessions = (count: number, first = 8) =>
  Array.from({ length: count }, (_, index) => {
    const hour = String(first + index).padStart(2, '0');
    return [`${hour}:00`, `${hour}:30`] as const;
  });
const seen = (workdays: Parameters<typeof findIn>[1], options = {}) => findIn(excessiveSessionFragmentation, workdays, { options });

describe('excessive-session-fragmentation', () => {
  it('shows how many there are, workdays first', () => {
    const workdays = [
      workday(date, '12:00', '16:00', { id: 'parts', work: [...sessions(2, 14), ...sessions(1, 12)], breaks: [['13:00', '13:30']] }),
      workday(date, '08:00', '12:00', { id: 'whole', breaks: [['10:00', '10:30']] }),
    ];
    expect(seen(workdays, { max_sessions: 3 })).toEqual([
      {
        date: day(date),
        references: [
          ['workday', 'whole'],
          ['timespan', 'work 12:00'],
          ['timespan', 'work 14:00'],
          ['timespan', 'work 15:00'],
        ],
        context: { sessions: 4, max_sessions: 3 },
        details: 'Am 04.05.2026 gibt es 4 Arbeitsabschnitte, üblich sind höchstens 3.',
      },
    ]);
  });

  it.each([
    [10, {}, 0],
    [11, {}, 1],
    [2, { max_sessions: 2 }, 0],
    [3, { max_sessions: 2 }, 1],
    [3, { max_sessions: 2.5 }, 1],
  ])('checks %i timespans with %j', (count, options, expected) => {
    expect(seen([workday(date, '08:00', '23:00', { work: sessions(count) })], options)).toHaveLength(expected);
  });

  it('counts timespans without duration or end, but no breaks', () => {
    const work = [
      ['08:00', '08:00'],
      ['09:00', null],
    ] as const;
    expect(seen([workday(date, '08:00', '12:00', { work, breaks: sessions(3) })], { max_sessions: 1 })).toMatchObject([
      { context: { sessions: 2 } },
    ]);
  });

  it('ignores open workdays, and counts each date separately', () => {
    expect(seen([workday(date, '08:00', null, { work: sessions(3) })], { max_sessions: 1 })).toEqual([]);
    expect(seen([workday(date, '08:00', '09:00'), workday('2026-05-05', '08:00', '09:00')], { max_sessions: 1 })).toEqual([]);
  });
});
