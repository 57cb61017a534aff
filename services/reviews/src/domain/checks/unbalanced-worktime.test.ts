import { describe, expect, it } from '@jest/globals';
import { day, findIn, workday } from '../test-support.js';
import { unbalancedWorktime } from './unbalanced-worktime.js';

const date = '2026-05-04';
type Fields = Parameters<typeof workday>[3];
const seen = (fields: Fields, options = {}, end: string | null = '16:30') =>
  findIn(unbalancedWorktime, [workday(date, '08:00', end, fields)], { options });
const lunch = [['12:00', '12:30']] as const;
const halves = [
  ['08:00', '12:00'],
  ['12:30', '16:30'],
] as const;

describe('unbalanced-worktime', () => {
  it('shows both sums, their difference and the records', () => {
    const work = [
      ['12:30', '16:00'],
      ['08:00', '12:00'],
    ] as const;
    expect(seen({ id: 'w', work, breaks: lunch })).toEqual([
      {
        date: day(date),
        references: [
          ['workday', 'w'],
          ['timespan', 'work 08:00'],
          ['timespan', 'work 12:30'],
        ],
        context: { net_working_seconds: 28_800, timespan_seconds: 27_000, difference_seconds: 1800 },
        details: 'Der Arbeitstag vom 04.05.2026 hat 8 Stunden Nettoarbeitszeit, seine Zeitabschnitte ergeben 7,5 Stunden.',
      },
    ]);
  });

  it.each<[string, Fields, object, number[]]>([
    ['that add up', { work: halves, breaks: lunch }, {}, []],
    ['that lack a minute', { work: [['08:00', '16:29']] }, {}, []],
    ['that lack a minute and a second', { work: [['08:00', '16:28:59']] }, {}, [61]],
    ['that lack a second where none is tolerated', { work: [['08:00', '16:29:59']] }, { tolerance_seconds: 0 }, [1]],
    ['that count time twice', { work: [...halves, ['09:00', '10:00']], breaks: lunch }, {}, [-3600]],
    ['with the break inside', { work: [['08:00', '16:30']], breaks: lunch }, {}, []],
    ['that reach over the workday', { work: [['06:00', '18:00']], breaks: lunch }, {}, []],
    [
      'one of which never ended',
      {
        work: [
          ['08:00', '12:00'],
          ['12:30', null],
        ],
        breaks: lunch,
      },
      {},
      [14_400],
    ],
    ['of breaks alone', { breaks: lunch }, {}, []],
    ['of which there are none', {}, {}, []],
  ])('checks timespans %s', (_, fields, options, differences) => {
    expect(seen(fields, options).map(({ context }) => context.difference_seconds)).toEqual(differences);
  });

  it('ignores open workdays', () => {
    expect(seen({ work: [['08:00', '09:00']] }, {}, null)).toEqual([]);
  });

  it('measures elapsed time when clocks change', () => {
    const night = workday('2026-10-25', '00:00', '06:00', { work: [['00:00', '06:00']] });
    expect(findIn(unbalancedWorktime, [night], { options: { tolerance_seconds: 0 } })).toEqual([]);
  });
});
