import { describe, expect, it } from '@jest/globals';
import { absence, anna, annasWeek, bernd, contract, day, id, linesOf, records, shift, span } from '../test/fixture.js';

const both = [annasWeek, records(bernd.id)];

/**
 * Anna from 1 to 7 April 2026, 8 h planned on weekdays, 6 h on Fridays:
 *
 *   31.3. 22:00 – 1.4. 02:00          2 h on 1.4., all of it night
 *   1.4. 07:00 – 15:45, 45 min break  8 h
 *   2.4. 22:00 – 3.4. 06:30, 30 min   2 h on 2.4. (1 h night) and 6 h on 3.4. (5.5 h night)
 *   4.4. 08:00 – 12:00:20             4 h 20 s on a Saturday
 *   7.4. 07:00 –                      open, counts 0; half a day of vacation, 4 h
 *
 * Good Friday 3.4. (6 h) and Easter Monday 6.4. (8 h) are holidays.
 */
describe('totals of a period', () => {
  it.each([
    // 2 + 8 + 8 + 4 h 20 s = 22 h 20 s; 20 s are 0.0056 h.
    ['work-time:hours', '22.01'],
    // 2 + 8.75 + 8.5 + 4 h 20 s
    ['gross-time:hours', '23.26'],
    ['break-time:hours', '1.25'],
    // 1., 2. and 7. April
    ['planned-time:hours', '24'],
    ['planned-time:days', '3'],
    // 22 h 20 s + 4 − 24
    ['balance:hours', '2.01'],
    ['overtime:hours', '2.01'],
    // 22 h 20 s + 4 + 6 + 8
    ['credit-time:hours', '40.01'],
    // 1., 2., 3., 4., 6. and 7. April
    ['credit-time:days', '6'],
    ['night-time:hours', '8.5'],
    ['saturday-time:hours', '4.01'],
    ['holiday-time:hours', '6'],
    ['public-holiday:hours', '14'],
    ['public-holiday:days', '2'],
    ['absence:hours', '4'],
    ['absence:days', '0.5'],
    ['vacation:hours', '4'],
    ['vacation:days', '0.5'],
  ])('contain %s of %s', async (types, value) => {
    expect(await linesOf({ types, columns: 'type|value' })).toEqual([`${types},${value}`]);
  });

  it.each(['sunday-time:hours', 'sick:hours', 'sick:days'])('omit %s, which is 0', async (types) => {
    expect(await linesOf({ types, columns: 'value' })).toEqual([]);
    expect(await linesOf({ types, columns: 'value', skip_zero_rows: 'false' })).toEqual(['0']);
  });

  it('skips values that round to 0', async () => {
    const work = (end: string): Promise<readonly string[]> =>
      linesOf(
        { types: 'work-time:hours', columns: 'value' },
        { records: [records(anna.id, { workdays: [shift(1, '2026-04-01T07:00', end)] })] },
      );
    expect(await work('2026-04-01T07:00:17')).toEqual([]);
    expect(await work('2026-04-01T07:00:18')).toEqual(['0.01']);
  });

  it('has no overtime where the balance is negative', async () => {
    const lines = await linesOf(
      { types: 'balance:hours|overtime:hours', columns: 'type|value', skip_zero_rows: 'false' },
      { records: [records(anna.id, { contracts: [contract] })] },
    );
    expect(lines).toEqual(['balance:hours,-24', 'overtime:hours,0']);
  });

  it('is written per employee in the order of the types', async () => {
    const lines = await linesOf(
      { types: 'work-time:hours|planned-time:hours', columns: 'last-name|type|value', skip_zero_rows: '0' },
      { records: both },
    );
    expect(lines).toEqual([
      'Abel,work-time:hours,22.01',
      'Abel,planned-time:hours,24',
      'Çelik,work-time:hours,0',
      'Çelik,planned-time:hours,0',
    ]);
  });
});

describe('vacation', () => {
  const parameters = { columns: 'last-name|type|unit|value', skip_zero_rows: 'false' };
  const types = ['granted', 'taken', 'remaining', 'expiring'].map((name) => `vacation-${name}:days`);
  const vacation = { granted: 3333, taken: 1250, remaining: 1883, expiring: 5 };

  it('is the result of the absence rules, in hundredths of days', async () => {
    const staff = [records(anna.id, { vacation }), records(bernd.id)];
    expect(await linesOf({ ...parameters, types: types.join('|') }, { records: staff })).toEqual([
      `${anna.lastName},vacation-granted:days,days,33.33`,
      `${anna.lastName},vacation-taken:days,days,12.5`,
      `${anna.lastName},vacation-remaining:days,days,18.83`,
      `${anna.lastName},vacation-expiring:days,days,0.05`,
      ...types.map((type) => `${bernd.lastName},${type},days,0`),
    ]);
  });

  it('has figures of the year that add up to the remaining days', async () => {
    const vacationBefore = { granted: 300, taken: 50, remaining: 200, expiring: 0 };
    const year = ['year-carry-over', 'year-entitlement', 'year-taken', 'year-expired', 'remaining'].map((name) => `vacation-${name}:days`);
    const staff = [records(anna.id, { vacation, vacationBefore })];
    // 2 + 30.33 - 12 - 1.5 = 18.83; of 33.33 - 12.5 - 18.83 = 2 days that have expired, half a day had before.
    expect(
      await linesOf({ ...parameters, columns: 'type|value', types: year.join('|'), filter: `q=${anna.lastName}` }, { records: staff }),
    ).toEqual([
      'vacation-year-carry-over:days,2',
      'vacation-year-entitlement:days,30.33',
      'vacation-year-taken:days,12',
      'vacation-year-expired:days,1.5',
      'vacation-remaining:days,18.83',
    ]);
  });

  it('is an exact value for modifiers', async () => {
    const columns = 'value:round>1';
    expect(
      await linesOf({ ...parameters, columns, types: 'vacation-remaining:days' }, { records: [records(anna.id, { vacation })] }),
    ).toEqual(['18.8']);
  });
});

describe('overtime-account:hours', () => {
  /** The balance at the end of the period. */
  async function account(daterange: string, fields: Parameters<typeof records>[1]): Promise<readonly string[]> {
    const parameters = { types: 'overtime-account:hours', columns: 'value', skip_zero_rows: 'false', daterange };
    return linesOf(parameters, { records: [records(anna.id, fields)] });
  }
  const hours = (text: string, value: number): { day: number; seconds: number } => ({ day: day(text), seconds: value * 3600 });
  const nineHours = (number: number, date: string): ReturnType<typeof shift> => shift(number, `${date}T07:00`, `${date}T16:00`);

  it('is the latest opening balance plus all balances since, up to the last day of the period', async () => {
    const openingBalances = [hours('2026-02-01', 100), hours('2026-03-01', 10), hours('2026-01-01', 50), hours('2026-05-01', -500)];
    const workdays = [nineHours(1, '2026-03-02'), nineHours(2, '2026-04-01'), nineHours(3, '2026-04-02'), nineHours(4, '2026-02-27')];
    const fields = { openingBalances, workdays, contracts: [{ ...contract, validFrom: day('2026-03-30') }] };
    // 10 + 9 (2.3., nothing planned) − 8 − 8 (30. and 31.3.) + 1 (1.4.)
    expect(await account('2026-04-01|2026-04-01', fields)).toEqual(['4']);
    // + 1 on 2.4.; Good Friday is a holiday
    expect(await account('2026-04-03|2026-04-05', fields)).toEqual(['5']);
    expect(await account('2026-01-15|2026-02-28', fields)).toEqual(['109']);
  });

  it('begins with the last month of the period if it has an opening balance, also for a longer period', async () => {
    const openingBalances = [hours('2026-04-01', -2.5)];
    const workdays = [nineHours(1, '2026-03-02'), nineHours(2, '2026-04-01')];
    expect(await account('2026-01-01|2026-04-30', { openingBalances, workdays })).toEqual(['6.5']);
  });

  it('splits a shift over midnight at the 1st of the month', async () => {
    const fields = { openingBalances: [hours('2026-04-01', 0)], workdays: [shift(1, '2026-03-31T22:00', '2026-04-01T06:00')] };
    expect(await account('2026-04-01|2026-04-30', fields)).toEqual(['6']);
  });

  it('counts from the first tracked month if no month has an opening balance', async () => {
    const fields = {
      openingBalances: [hours('2026-05-01', 7)],
      contracts: [contract],
      workdays: [nineHours(1, '2026-03-31'), nineHours(2, '2026-04-01')],
    };
    // March has 22 working days: 18 × 8 + 4 × 6 = 168 h planned, of which 9 h are worked; then 1 h more than planned on 1.4.
    expect(await account('2026-04-01|2026-04-01', fields)).toEqual(['-158']);
  });

  it('is 0 before anything is tracked', async () => {
    expect(await account('2026-04-01|2026-04-30', { contracts: [contract] })).toEqual(['0']);
    expect(await account('2026-04-01|2026-04-30', { contracts: [contract], workdays: [nineHours(1, '2026-05-04')] })).toEqual(['0']);
  });

  it('counts credited absences', async () => {
    const fields = {
      openingBalances: [hours('2026-04-01', 1)],
      contracts: [contract],
      absences: [absence({ startsOn: day('2026-04-01'), endsOn: day('2026-04-02') })],
    };
    expect(await account('2026-04-01|2026-04-02', fields)).toEqual(['1']);
  });
});

describe('daily:hours', () => {
  it('has a row for each date, and splits shifts at midnight', async () => {
    expect(await linesOf({ types: 'daily:hours', columns: 'date|weekday|value', skip_zero_rows: 'false' })).toEqual([
      '2026-04-01,Mittwoch,10',
      '2026-04-02,Donnerstag,2',
      '2026-04-03,Freitag,6',
      '2026-04-04,Samstag,4.01',
      '2026-04-05,Sonntag,0',
      '2026-04-06,Montag,0',
      '2026-04-07,Dienstag,0',
    ]);
  });

  it('counts elapsed time when the clocks change', async () => {
    const nights = records(anna.id, {
      workdays: [shift(1, '2026-03-28T22:00', '2026-03-29T06:00'), shift(2, '2025-10-25T22:00', '2025-10-26T06:00')],
    });
    const lines = (daterange: string): Promise<readonly string[]> =>
      linesOf({ daterange, types: 'daily:hours|work-time:hours', columns: 'date|value' }, { records: [nights] });
    expect(await lines('2026-03-28|2026-03-29')).toEqual(['2026-03-28,2', '2026-03-29,5', ',7']);
    expect(await lines('2025-10-25|2025-10-26')).toEqual(['2025-10-25,2', '2025-10-26,7', ',9']);
  });
});

describe('workday:hours', () => {
  it('restricts value and break to the period, and shows the full start and end', async () => {
    expect(await linesOf({ types: 'workday:hours', columns: 'date|start|end|start-time|end-time|break|value' })).toEqual([
      '2026-03-31,2026-03-31T22:00:00,2026-04-01T02:00:00,22:00,02:00,0,2',
      '2026-04-01,2026-04-01T07:00:00,2026-04-01T15:45:00,07:00,15:45,0.75,8',
      '2026-04-02,2026-04-02T22:00:00,2026-04-03T06:30:00,22:00,06:30,0.5,8',
      '2026-04-04,2026-04-04T08:00:00,2026-04-04T12:00:20,08:00,12:00,0,4.01',
    ]);
  });

  it('has no row for workdays outside the period and for open ones', async () => {
    const outside = records(anna.id, {
      workdays: [
        shift(1, '2026-03-31T16:00', '2026-04-01T00:00'),
        shift(2, '2026-04-08T00:00', '2026-04-08T01:00'),
        shift(3, '2026-04-02T07:00', null),
      ],
    });
    expect(await linesOf({ types: 'workday:hours', columns: 'value', skip_zero_rows: 'false' }, { records: [outside] })).toEqual([]);
  });

  it('orders equal starts by id', async () => {
    const equal = records(anna.id, {
      workdays: [shift(2, '2026-04-01T07:00', '2026-04-01T09:00'), shift(1, '2026-04-01T07:00', '2026-04-01T08:00')],
    });
    expect(await linesOf({ types: 'workday:hours', columns: 'value' }, { records: [equal] })).toEqual(['1', '2']);
  });
});

describe('timespan:hours', () => {
  it('has a row for each work timespan with its project and comment', async () => {
    expect(
      await linesOf({ types: 'timespan:hours', columns: 'start-time|end-time|value|project-code|project-name|project-id|comment' }),
    ).toEqual([`07:00,12:00,5,P-100,"Kita ""Spatz""",${id(21)},"Mauern, ""EG"""`, `12:45,15:45,3,,,,'=1+1`]);
  });

  it('subtracts breaks and keeps the id of a deleted project', async () => {
    const workday = shift(1, '2026-04-01T07:00', '2026-04-01T12:00', [
      span('work', '2026-04-01T07:00', '2026-04-01T12:00', { id: id(2), projectId: id(29) }),
      span('break', '2026-04-01T09:00', '2026-04-01T09:30', { id: id(3) }),
    ]);
    const lines = await linesOf(
      { types: 'timespan:hours', columns: 'value|break|project-id|project-code|project-client|project-cost-center' },
      { records: [records(anna.id, { workdays: [workday] })] },
    );
    expect(lines).toEqual([`4.5,0.5,${id(29)},,,`]);
  });
});

describe('project:hours', () => {
  it('adds up to the work time: time without a project has its own row', async () => {
    // Without a project: 3 h of 1.4. and the workdays without timespans: 2 + 8 + 4 h 20 s.
    expect(await linesOf({ types: 'project:hours', columns: 'project-code|project-client|project-cost-center|value' })).toEqual([
      ',,,17.01',
      'P-100,Stadt,77,5',
    ]);
  });
});

describe('absence-day:days', () => {
  it('has a row for each date and type', async () => {
    const week = records(anna.id, {
      contracts: [contract],
      absences: [
        absence({ missingType: 'vacation', startsOn: absence({}).startsOn - 6 }),
        absence({ id: id(61), missingType: 'sick', dayPart: 0.5 }),
        absence({ id: id(62), missingType: 'other', startsOn: absence({}).startsOn - 5, endsOn: absence({}).startsOn - 5, dayPart: 0.5 }),
      ],
    });
    expect(
      await linesOf({ types: 'absence-day:days', columns: 'date|absence-type|absence-label|value|unit' }, { records: [week] }),
    ).toEqual([
      '2026-04-01,vacation,Urlaub,1,days',
      '2026-04-02,other,other,0.5,days',
      '2026-04-02,vacation,Urlaub,1,days',
      '2026-04-07,sick,Krank,0.5,days',
    ]);
  });
});
