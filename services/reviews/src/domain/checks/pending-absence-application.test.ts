import { describe, expect, it } from '@jest/globals';
import { formatLocalDate } from '@stechuhr/worktime';
import { application, day, find } from '../test-support.js';
import { pendingAbsenceApplication } from './pending-absence-application.js';

const dates = (...applications: ReturnType<typeof application>[]) =>
  find(pendingAbsenceApplication, { applications }).map(({ date }) => formatLocalDate(date));

describe('pending-absence-application', () => {
  it('shows the requested days', () => {
    expect(find(pendingAbsenceApplication, { applications: [application('2026-05-11', '2026-06-05')] })).toEqual([
      {
        date: day('2026-05-11'),
        references: [['absence-application', 'application']],
        context: { starts_on: '2026-05-11', ends_on: '2026-06-05' },
        details: 'Der Antrag für 11.05.2026 bis 05.06.2026 ist noch nicht entschieden.',
      },
    ]);
    expect(find(pendingAbsenceApplication, { applications: [application('2026-05-11', '2026-05-11')] })).toMatchObject([
      { details: 'Der Antrag für den 11.05.2026 ist noch nicht entschieden.' },
    ]);
  });

  it.each([
    ['that ends on the last day before', '2026-04-20', '2026-04-30', []],
    ['that ends on the 1st', '2026-04-20', '2026-05-01', ['2026-05-01']],
    ['that starts on the last day', '2026-05-31', '2026-06-30', ['2026-05-31']],
    ['that starts a day later', '2026-06-01', '2026-06-30', []],
    ['that covers the month', '2026-01-01', '2026-12-31', ['2026-05-01']],
  ])('finds one %s', (_, from, to, expected) => {
    expect(dates(application(from, to))).toEqual(expected);
  });

  it('ignores decided applications and finds each of several', () => {
    expect(dates(application('2026-05-11', '2026-05-12', { isPending: false }))).toEqual([]);
    expect(dates(application('2026-05-20', '2026-05-21'), application('2026-05-11', '2026-05-12'))).toHaveLength(2);
  });
});
