import { describe, expect, it } from '@jest/globals';
import { day, findIn, workday } from '../test-support.js';
import { zeroDurationTimespan } from './zero-duration-timespan.js';

const seen = (fields: Parameters<typeof workday>[3], end: string | null = '16:00') =>
  findIn(zeroDurationTimespan, [workday('2026-05-04', '08:00', end, fields)]);

describe('zero-duration-timespan', () => {
  it('names the timespan', () => {
    expect(
      seen({
        work: [
          ['08:00', '08:00'],
          ['08:00', '16:00'],
        ],
      }),
    ).toEqual([
      {
        date: day('2026-05-04'),
        references: [['timespan', 'work 08:00']],
        context: {},
        details: 'Der Arbeitsabschnitt um 08:00 Uhr am 04.05.2026 hat keine Dauer.',
      },
    ]);
    expect(seen({ breaks: [['12:00', '12:00']] })).toMatchObject([{ details: 'Die Pause um 12:00 Uhr am 04.05.2026 hat keine Dauer.' }]);
  });

  it('ignores a timespan of one second, an open one, and all in an open workday', () => {
    expect(
      seen({
        work: [
          ['08:00', '08:00:01'],
          ['09:00', null],
        ],
      }),
    ).toEqual([]);
    expect(seen({ work: [['08:00', '08:00']] }, null)).toEqual([]);
  });

  it('distinguishes the two occurrences of the repeated hour', () => {
    const night = workday('2026-10-25', '00:00', '06:00', { work: [['02:30', '2026-10-25T02:30*']] });
    expect(findIn(zeroDurationTimespan, [night])).toEqual([]);
  });
});
