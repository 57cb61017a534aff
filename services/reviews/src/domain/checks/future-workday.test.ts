import { describe, expect, it } from '@jest/globals';
import { day, findIn, moment, workday } from '../test-support.js';
import { futureWorkday } from './future-workday.js';

const NOW = moment({ year: 2026, month: 5 }, '2026-05-04T12:00:00');
const seen = (from: string, to: string | null, options = {}) =>
  findIn(futureWorkday, [workday('2026-05-04', from, to)], { moment: NOW, options });

describe('future-workday', () => {
  it('shows when it starts', () => {
    expect(seen('13:00', '14:00')).toEqual([
      {
        date: day('2026-05-04'),
        references: [['workday', '2026-05-04T13:00']],
        context: { started_at: '2026-05-04T13:00:00' },
        details: 'Der Arbeitstag vom 04.05.2026 (ab 13:00 Uhr bis 14:00 Uhr) liegt ganz oder teilweise in der Zukunft.',
      },
    ]);
    expect(seen('13:00', null)).toMatchObject([
      { details: 'Der Arbeitstag vom 04.05.2026 (ab 13:00 Uhr) liegt ganz oder teilweise in der Zukunft.' },
    ]);
  });

  it.each<[string, string, string | null, object, number]>([
    ['ending now', '08:00', '12:00', {}, 0],
    ['ending as much later as is tolerated', '08:00', '12:05:00', {}, 0],
    ['ending a second later', '08:00', '12:05:01', {}, 1],
    ['starting as much later as is tolerated', '12:05:00', null, {}, 0],
    ['starting a second later', '12:05:01', null, {}, 1],
    ['ending in a second where nothing is tolerated', '08:00', '12:00:01', { tolerance_seconds: 0 }, 1],
    ['running', '08:00', null, {}, 0],
  ])('checks one %s', (_, ...[from, to, options, count]) => {
    expect(seen(from, to, options)).toHaveLength(count);
  });
});
