import { describe, expect, it } from '@jest/globals';
import { formatLocalDate } from '@stechuhr/worktime';
import { prepareSubject, type SubjectRecords } from '../prepare-subject.js';
import type { AccountStart } from '../subject.js';
import { absence, contract, day, find, moment, records, workday } from '../test-support.js';
import { overtimeAccountOutOfRange } from './overtime-account-out-of-range.js';

const HOUR = 3600;
const FREE = contract({ plannedMinutes: [0, 0, 0, 0, 0, 0, 0] });
const opening = (hours: number): AccountStart => ({ since: day('2026-05-01'), openingSeconds: hours * HOUR, earlierWorkdays: [] });
const terms = (...contracts: SubjectRecords['terms']['contracts']) => ({ ...records().terms, contracts });
const balances = (given: Partial<SubjectRecords>, asked?: Parameters<typeof find>[2]) =>
  find(overtimeAccountOutOfRange, given, asked).map(({ date, context }) => [
    formatLocalDate(date),
    Number(context.balance_seconds) / HOUR,
    Number(context.min_seconds) / HOUR,
    Number(context.max_seconds) / HOUR,
  ]);
const now = (text: string) => ({ moment: moment({ year: 2026, month: 5 }, text) });

describe('overtime-account-out-of-range', () => {
  it('shows the closing balance and its range', () => {
    const given = { terms: terms(FREE), account: opening(40), workdays: [workday('2026-05-04', '08:00', '08:00:01')] };
    expect(find(overtimeAccountOutOfRange, given)).toEqual([
      {
        date: day('2026-05-31'),
        references: [],
        context: { balance_seconds: 144_001, min_seconds: -144_000, max_seconds: 144_000 },
        details: 'Das Arbeitszeitkonto steht am 31.05.2026 bei 40,0003 Stunden, vereinbart sind −40 Stunden bis 40 Stunden.',
      },
    ]);
  });

  it.each([
    [40, {}, []],
    [40.25, {}, [['2026-05-31', 40.25, -40, 40]]],
    [-40, {}, []],
    [-40.25, {}, [['2026-05-31', -40.25, -40, 40]]],
    [10.5, { max_hours: 10.5 }, []],
    [10.75, { max_hours: 10.5 }, [['2026-05-31', 10.75, -40, 10.5]]],
    [-1, { min_hours: 0 }, [['2026-05-31', -1, 0, 40]]],
  ])('checks %d hours with %j', (hours, options, expected) => {
    expect(balances({ terms: terms(FREE), account: opening(hours) }, { options })).toEqual(expected);
  });

  it('adds work and credited absences and subtracts planned time', () => {
    // Planned in May: 18 days of 8 h = 144 h. Worked: 2 × 9 h, the break left out. Credited: 4.5 days = 36 h; unpaid ones are not.
    const given = {
      account: opening(0),
      workdays: [workday('2026-05-04', '08:00', '17:30', { breaks: [['12:00', '12:30']] }), workday('2026-05-05', '08:00', '17:00')],
      absences: [
        absence('2026-05-18', '2026-05-21'),
        absence('2026-05-22', '2026-05-22', { id: 'half', dayPart: 0.5 }),
        absence('2026-05-26', '2026-05-29', { id: 'unpaid', missingType: 'unpaid' }),
      ],
    };
    expect(balances(given)).toEqual([['2026-05-31', 18 + 36 - 144, -40, 40]]);
  });

  it.each([
    // The first planned day is Monday 4 May; yesterday is the last day that counts.
    ['2026-05-01T12:00:00', []],
    ['2026-05-02T00:00:00', [['2026-05-01', -32, -5, 40]]],
    ['2026-05-05T00:00:00', [['2026-05-04', -40, -5, 40]]],
    ['2026-06-01T00:00:00', [['2026-05-31', -32 - 144, -5, 40]]],
  ])('as of %s', (text, expected) => {
    expect(balances({ account: opening(-32) }, { ...now(text), options: { min_hours: -5 } })).toEqual(expected);
  });

  it('ends with the employment, and ignores employees who left before the month', () => {
    const leaving = (leftOn: string) => ({
      account: opening(-40),
      terms: { ...records().terms, employment: { hiredOn: day('2020-01-01'), leftOn: day(leftOn) } },
    });
    expect(balances(leaving('2026-05-05'))).toEqual([['2026-05-05', -56, -40, 40]]);
    expect(balances(leaving('2026-04-30'))).toEqual([]);
  });

  it.each([
    ['of the day', terms(contract({ overtimeMinHours: -10, overtimeMaxHours: 10 })), -10, 10],
    ['with an open side', terms(contract({ overtimeMinHours: null, overtimeMaxHours: 10 })), -40, 10],
    [
      'that began last',
      terms(
        contract({ id: 'a', overtimeMinHours: -10 }),
        contract({ id: 'b', validFrom: day('2026-05-20'), overtimeMinHours: -20 }),
        contract({ id: 'c', validFrom: day('2026-06-01'), overtimeMinHours: -30 }),
      ),
      -20,
      40,
    ],
    [
      'that ended last',
      terms(
        contract({ id: 'a', validTo: day('2026-05-10'), overtimeMinHours: -10 }),
        contract({ id: 'b', validTo: day('2026-04-30'), overtimeMinHours: -20 }),
        contract({ id: 'c', validFrom: day('2026-06-01'), overtimeMinHours: -30 }),
      ),
      -10,
      40,
    ],
    ['of which there is none', terms(contract({ validFrom: day('2026-06-01'), overtimeMinHours: -1 })), -40, 40],
  ])('uses the range of the contract %s', (_, contracts, min, max) => {
    expect(balances({ terms: contracts, account: opening(500) })).toMatchObject([[expect.anything(), expect.anything(), min, max]]);
  });

  it('continues from an earlier month by the dates of workdays', () => {
    // April 2026 from the 1st: 20 planned days (Good Friday and Easter Monday are free); worked 8 h, and 8 h that ran into May.
    const earlierWorkdays = [workday('2026-04-01', '08:00', '16:00'), workday('2026-04-30', '20:00', '2026-05-01T04:00')];
    const account = { since: day('2026-04-01'), openingSeconds: 10 * HOUR, earlierWorkdays };
    expect(balances({ account, workdays: earlierWorkdays })).toEqual([['2026-05-31', 10 + 16 - 160 - 144, -40, 40]]);
  });

  it('counts an open workday as 0, and finds nothing without an account', () => {
    expect(balances({ terms: terms(FREE), account: opening(41), workdays: [workday('2026-05-04', '08:00', null)] })).toEqual([
      ['2026-05-31', 41, -40, 40],
    ]);
    expect(overtimeAccountOutOfRange.finder({})(prepareSubject(records(), moment()))).toEqual([]);
  });

  it('finds the latest of any number of contracts that ended before the month', () => {
    const { plannedMinutes } = FREE;
    const ended = (validTo: number, overtimeMaxHours: number) => contract({ plannedMinutes, validFrom: 0, validTo, overtimeMaxHours });
    const contracts = Array.from({ length: 150_000 }, (_, at) => (at === 75_000 ? ended(2_000, 50) : ended(10 + (at % 1_000), 99)));
    const given = { terms: { ...records().terms, contracts }, account: opening(60) };
    expect(balances(given)).toEqual([['2026-05-31', 60, -40, 50]]);
  });
});
