import { describe, expect, it } from '@jest/globals';
import { day, findIn, moment, workday } from '../test-support.js';
import { incompleteWorkday } from './incomplete-workday.js';

const MAY = { year: 2026, month: 5 };
const open = workday('2026-05-04', '08:00', null);
const asOf = (now: string, options = {}) => findIn(incompleteWorkday, [open], { moment: moment(MAY, now), options });

describe('incomplete-workday', () => {
  it('names the workday that has no end', () => {
    expect(asOf('2026-05-05T00:00:00')).toEqual([
      {
        date: day('2026-05-04'),
        references: [['workday', '2026-05-04T08:00']],
        context: {},
        details: 'Der Arbeitstag vom 04.05.2026 begann um 08:00 Uhr und hat kein Ende.',
      },
    ]);
  });

  it.each([
    ['on the next day, however short', '2026-05-05T00:00:00', {}, 1],
    ['on the day itself while it may still run', '2026-05-04T23:59:59', {}, 0],
    ['open for exactly as long as allowed', '2026-05-04T18:00:00', { open_hours: 10 }, 0],
    ['open for a second longer', '2026-05-04T18:00:01', { open_hours: 10 }, 1],
    ['with an option in decimals', '2026-05-04T08:30:01', { open_hours: 0.5 }, 1],
    ['before it starts', '2026-05-04T07:59:59', { open_hours: 0 }, 0],
  ])('%s', (_, now, options, count) => {
    expect(asOf(now, options)).toHaveLength(count);
  });

  it('checks the date of the workday, not that of its start', () => {
    const night = workday('2026-05-05', '2026-05-04T23:00', null);
    const seen = (now: string) => findIn(incompleteWorkday, [night], { moment: moment(MAY, now) });
    expect(seen('2026-05-05T12:00:00')).toHaveLength(0);
    expect(seen('2026-05-05T17:00:00')).toHaveLength(0);
    expect(seen('2026-05-05T17:00:01')).toMatchObject([{ date: day('2026-05-05') }]);
  });

  it('counts elapsed hours in the nights when clocks change', () => {
    const march = workday('2026-03-29', '00:00', null);
    const october = workday('2026-10-25', '00:00', null);
    const seen = (night: typeof march, month: number, now: string) =>
      findIn(incompleteWorkday, [night], { moment: moment({ year: 2026, month }, now) }).length;
    expect([seen(march, 3, '2026-03-29T19:00:00'), seen(march, 3, '2026-03-29T19:00:01')]).toEqual([0, 1]);
    expect([seen(october, 10, '2026-10-25T17:00:00'), seen(october, 10, '2026-10-25T17:00:01')]).toEqual([0, 1]);
  });

  it('ignores other months and closed workdays', () => {
    const others = [workday('2026-04-30', '08:00', null), workday('2026-06-01', '08:00', null), workday('2026-05-06', '08:00', '08:00')];
    expect(findIn(incompleteWorkday, others)).toEqual([]);
  });
});
