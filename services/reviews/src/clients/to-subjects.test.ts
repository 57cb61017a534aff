import { describe, expect, it } from '@jest/globals';
import { recordsV1 } from '@stechuhr/contracts';
import { holidayCalendar, parseLocalDate, parseLocalDateTime } from '@stechuhr/worktime';
import { toSubjects } from './to-subjects.js';

const { TimespanType, Workmonth } = recordsV1;

const day = (text: string) => parseLocalDate(text) ?? Number.NaN;
const at = (text: string) => {
  const parsed = parseLocalDateTime(text);
  return parsed.kind === 'ok' ? parsed.instant : Number.NaN;
};
const terms = {
  organization: { absenceTypes: [], holidays: holidayCalendar(null) },
  month: { first: day('2026-05-01'), last: day('2026-05-31') },
  accounts: true,
  employments: new Map([['e', { hiredOn: 0, leftOn: null }]]),
};
const pause = { id: 't', type: TimespanType.TIMESPAN_TYPE_BREAK, startedAt: 0 };

function workday(date: string, from = `${date}T08:00`) {
  return { id: date, date: day(date), startedAt: at(from), timespans: [pause], edits: [{ at: 1, by: recordsV1.Editor.EDITOR_SYSTEM }] };
}

type RecordedWorkday = Omit<ReturnType<typeof workday>, 'edits'> & { readonly edits: recordsV1.Edit[] };

function month(number: number, workdays: readonly RecordedWorkday[], openingBalanceMinutes?: number): recordsV1.Workmonth {
  const balance = openingBalanceMinutes === undefined ? {} : { openingBalanceMinutes };
  return Workmonth.fromPartial({ id: `m${String(number)}`, year: 2026, month: number, workdays: [...workdays], ...balance });
}

function recordsOf(employeeId: string, workmonths: readonly recordsV1.Workmonth[]): recordsV1.EmployeeRecords {
  return { employeeId, contracts: [], absences: [], applications: [], workmonths: [...workmonths] };
}

function subjectOf(...workmonths: readonly recordsV1.Workmonth[]) {
  return toSubjects([recordsOf('e', workmonths)], terms)[0];
}

const may = month(5, [workday('2026-05-04')]);

interface Expected {
  readonly since: string;
  readonly seconds: number;
  readonly earlier: readonly string[];
}

describe('toSubjects', () => {
  it('leaves out employees without a workday in the month, and deleted ones', () => {
    expect(subjectOf(month(4, [workday('2026-04-30')]), month(5, []), month(6, [workday('2026-06-01')]))).toBeUndefined();
    expect(subjectOf(month(4, [workday('2026-04-30')]))).toBeUndefined();
    expect(toSubjects([recordsOf('gone', [may])], terms)).toEqual([]);
  });

  it('takes all starts of the month before, and complete workdays from the Monday of the first week on', () => {
    // 27 April 2026 is a Monday.
    const subject = subjectOf(month(3, [workday('2026-03-31')]), month(4, [workday('2026-04-26'), workday('2026-04-27')]), may);
    expect(subject?.workmonthId).toBe('m5');
    expect(subject?.workdays.map(({ id, timespans, edits }) => [id, timespans.length, edits.length])).toEqual([
      ['2026-04-26', 0, 0],
      ['2026-04-27', 1, 1],
      ['2026-05-04', 1, 1],
    ]);
  });

  it('takes only workdays of the month after that may begin before a workday of the month', () => {
    const june = month(6, [
      workday('2026-06-01', '2026-05-31T23:00'),
      workday('2026-06-02', '2026-06-01T23:59'),
      workday('2026-06-03', '2026-06-02T00:00'),
    ]);
    expect(subjectOf(may, june)?.workdays.map(({ id }) => id)).toEqual(['2026-05-04', '2026-06-01', '2026-06-02']);
  });

  it.each<[string, readonly recordsV1.Workmonth[], Expected]>([
    [
      'this month, if it has a balance',
      [month(4, [workday('2026-04-01')], 60), { ...may, openingBalanceMinutes: 90 }],
      { since: '2026-05-01', seconds: 5400, earlier: [] },
    ],
    [
      'the latest month before that has one',
      [month(2, [], 30), month(3, [workday('2026-03-02')], -60), month(4, [workday('2026-04-01')]), may],
      { since: '2026-03-01', seconds: -3600, earlier: ['2026-03-02', '2026-04-01'] },
    ],
    [
      'the first tracked month, if none has one',
      [month(2, []), month(3, [workday('2026-03-02')]), may],
      { since: '2026-03-01', seconds: 0, earlier: ['2026-03-02'] },
    ],
    ['this month, where a later one has one', [may, month(6, [], 60)], { since: '2026-05-01', seconds: 0, earlier: [] }],
  ])('counts an account from %s', (_, workmonths, expected) => {
    const account = subjectOf(...workmonths)?.account;
    expect(account && { ...account, earlierWorkdays: account.earlierWorkdays.map(({ id }) => id) }).toEqual({
      since: day(expected.since),
      openingSeconds: expected.seconds,
      earlierWorkdays: expected.earlier,
    });
  });

  it('has no account unless it is requested', () => {
    const [subject] = toSubjects([recordsOf('e', [may])], {
      ...terms,
      accounts: false,
    });
    expect(subject?.account).toBeUndefined();
  });

  it('rejects an unknown editor', () => {
    const odd = { ...workday('2026-05-04'), edits: [{ at: 1, by: recordsV1.Editor.EDITOR_UNSPECIFIED }] };
    expect(() => subjectOf(month(5, [odd]))).toThrow('Internal error.');
  });
});
