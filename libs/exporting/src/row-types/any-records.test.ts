import { describe, expect, it } from '@jest/globals';
import type { Absence, Contract, EpochDay, Timespan, Workday } from '@stechuhr/worktime';
import fc from 'fast-check';
import { anna, at, bodyOf, day, directory, id, linesOf, records } from '../test/fixture.js';

/**
 * Compares the rows of random records with a count minute by minute and date by date, following docs/rules/working-time.md. The clocks go forward on
 * 29 March 2026; 3 April (a Friday) and 6 April (a Monday) are holidays.
 */
const FIRST = day('2026-03-27');
const LAST = day('2026-04-07');
const HOLIDAYS = [day('2026-04-03'), day('2026-04-06')];
const PERIOD = { daterange: '2026-03-27|2026-04-07' };
const BEGIN = at('2026-03-27T00:00');
const END = at('2026-04-08T00:00');
const HOUR = 3600;

interface Minute {
  readonly instant: number;
  readonly date: EpochDay;
  readonly weekday: string;
  readonly isNight: boolean;
}

const clock = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Berlin', dateStyle: 'short', timeStyle: 'short' });
const weekdays = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Berlin', weekday: 'short' });

/** The minutes of the period, with local times from another library. */
const minutes = Array.from({ length: (END - BEGIN) / 60 }, (_, n): Minute => {
  const instant = BEGIN + n * 60;
  const [date = '', time = ''] = clock.format(instant * 1000).split(', ');
  const isNight = time < '06:00' || time >= '23:00';
  return { instant, date: day(date.split('/').reverse().join('-')), weekday: weekdays.format(instant * 1000), isNight };
});
const dates = Array.from({ length: LAST - FIRST + 1 }, (_, n) => FIRST + n);
const isWeekday = (date: EpochDay) => (date - FIRST + 4) % 7 < 5;

const unpaid = { value: 'unpaid', label: 'Unbezahlt', category: 'other', credited: false } as const;
const types = [...directory.institution.absenceTypes, unpaid];

interface Given {
  readonly hiredOn: EpochDay;
  readonly leftOn: EpochDay | null;
  readonly contracts: readonly Contract[];
  readonly absences: readonly Absence[];
  readonly workdays: readonly Workday[];
}

const someDay = fc.integer({ min: FIRST - 3, max: LAST + 3 });
const anyContract = fc
  .tuple(someDay, fc.option(fc.nat(9)), fc.array(fc.constantFrom(0, 301, 480), { minLength: 7, maxLength: 7 }), fc.nat(99))
  .map(([validFrom, days, plannedMinutes, n]): Contract => {
    const validTo = days === null ? null : validFrom + days;
    return { id: id(n), validFrom, validTo, plannedMinutes, overtimeMinHours: null, overtimeMaxHours: null };
  });
const anyAbsence = fc
  .tuple(someDay, fc.nat(6), fc.constantFrom('vacation', 'sick', 'unpaid'), fc.constantFrom(1, 0.5), fc.constantFrom(null, 7.705, 24))
  .map(([startsOn, days, missingType, dayPart, hoursPerDay]): Absence => {
    return { id: id(1), missingType, startsOn, endsOn: startsOn + days, dayPart, hoursPerDay };
  });
const anySpan = fc
  .tuple(fc.integer({ min: -60, max: 900 }), fc.nat(300), fc.constantFrom<Timespan['type']>('work', 'break'), fc.nat(9))
  .map(([from, length, type, open]) => ({ from, until: open === 0 ? null : from + length, type }));
const anyWorkday = fc
  .tuple(fc.integer({ min: -1500, max: 18_000 }), fc.nat(1800), fc.array(anySpan, { maxLength: 4 }), fc.nat(9))
  .map(([from, length, spans, open]): Workday => {
    const startedAt = BEGIN + from * 60;
    const timespans = spans.map((span): Timespan => {
      const endedAt = span.until === null ? null : startedAt + span.until * 60;
      return { id: id(2), type: span.type, startedAt: startedAt + span.from * 60, endedAt, projectId: null, comment: null };
    });
    return { id: id(from + 5000), date: FIRST, startedAt, endedAt: open === 0 ? null : startedAt + length * 60, timespans };
  });
const anyRecords: fc.Arbitrary<Given> = fc.record({
  hiredOn: fc.oneof(fc.constant(day('2020-01-01')), someDay),
  leftOn: fc.option(fc.integer({ min: LAST - 5, max: LAST + 5 })),
  contracts: fc.uniqueArray(anyContract, { maxLength: 3, selector: ({ id: key }) => key }),
  absences: fc.array(anyAbsence, { maxLength: 4 }),
  workdays: fc.uniqueArray(anyWorkday, { maxLength: 6, selector: ({ id: key }) => key }),
});

/** Planned seconds of a date, ignoring holidays; null on days off. */
function plannedOn({ hiredOn, leftOn, contracts }: Given, date: EpochDay): number | null {
  if (date < hiredOn || (leftOn !== null && date > leftOn)) return null;
  const valid = contracts.filter(({ validFrom, validTo }) => validFrom <= date && (validTo === null || validTo >= date));
  const [contract] = valid.toSorted((a, b) => b.validFrom - a.validFrom || (a.id > b.id ? -1 : 1));
  if (contract === undefined) return isWeekday(date) ? 0 : null;
  return (contract.plannedMinutes[(date - FIRST + 4) % 7] ?? 0) * 60 || null;
}

/** Absences by type, on a date with this plan. */
function absentOn({ absences }: Given, date: EpochDay, planned: number) {
  const ofDate = absences.filter(({ startsOn, endsOn }) => startsOn <= date && date <= endsOn);
  const isSick = ofDate.some(({ missingType }) => missingType === 'sick');
  return types.flatMap(({ value, credited }) => {
    const hours = ofDate
      .filter(({ missingType }) => missingType === value && !(isSick && missingType === 'vacation'))
      .map(({ dayPart, hoursPerDay }) => ({ days: dayPart, seconds: (hoursPerDay === null ? planned : hoursPerDay * HOUR) * dayPart }))
      .toSorted((a, b) => b.days - a.days || b.seconds - a.seconds);
    return hours.slice(0, 1).map(({ days, seconds }) => ({ type: value, credited, days, seconds: Math.round(seconds) }));
  });
}

class Sums extends Map<string, number> {
  add(name: string, amount: number): void {
    this.set(name, this.of(name) + amount);
  }

  of(name: string): number {
    return this.get(name) ?? 0;
  }
}

/** Seconds and days by row type, and the dates with credited time. */
class Counts {
  readonly sums = new Sums();
  readonly credited = new Set<EpochDay>();
}

function countWork({ workdays }: Given, { sums, credited }: Counts): void {
  for (const { startedAt, endedAt, timespans } of workdays) {
    for (const { instant, date, weekday, isNight } of endedAt === null ? [] : minutes) {
      const within = (from: number, to: number | null) => instant >= from && instant < (to ?? endedAt ?? 0);
      if (!within(startedAt, endedAt)) continue;
      const isBreak = timespans.some((one) => one.type === 'break' && within(one.startedAt, one.endedAt));
      const isOn = { night: isNight, sunday: weekday === 'Sun', saturday: weekday === 'Sat', holiday: HOLIDAYS.includes(date) };
      sums.add('gross-time:hours', 60);
      sums.add(isBreak ? 'break-time:hours' : 'work-time:hours', 60);
      if (isBreak) continue;
      credited.add(date);
      for (const [name, is] of Object.entries(isOn)) if (is) sums.add(`${name}-time:hours`, 60);
    }
  }
}

function countPlan(given: Given, { sums, credited }: Counts): void {
  for (const date of dates) {
    const planned = plannedOn(given, date);
    if (planned === null) continue;
    const isHoliday = HOLIDAYS.includes(date);
    const subject = isHoliday ? 'public-holiday' : 'planned-time';
    sums.add(`${subject}:hours`, planned);
    if (isHoliday || planned > 0) sums.add(`${subject}:days`, 1);
    if (isHoliday && planned > 0) credited.add(date);
    for (const absent of isHoliday ? [] : absentOn(given, date, planned)) {
      for (const name of ['absence', absent.type]) {
        sums.add(`${name}:hours`, absent.seconds);
        sums.add(`${name}:days`, absent.days);
      }
      if (!absent.credited) continue;
      sums.add('credited absences', absent.seconds);
      if (absent.seconds > 0) credited.add(date);
    }
  }
}

function counted(given: Given): Sums {
  const counts = new Counts();
  countWork(given, counts);
  countPlan(given, counts);
  const { sums, credited } = counts;
  const present = sums.of('work-time:hours') + sums.of('credited absences');
  const balance = present - sums.of('planned-time:hours');
  sums.set('credit-time:hours', present + sums.of('public-holiday:hours'));
  sums.set('credit-time:days', credited.size);
  sums.set('overtime:hours', Math.max(0, balance));
  return sums.set('balance:hours', balance);
}

/** Rounds half up, away from zero, to hundredths of an hour, which have 36 seconds. */
function hundredths(seconds: number): number {
  return Math.sign(seconds) * Math.floor((Math.abs(seconds) * 2 + 36) / 72);
}

const shown = (type: string, amount: number) => (type.endsWith(':hours') ? hundredths(amount) / 100 : amount);

const ROW_TYPES = [
  ...['credit-time', 'planned-time', 'public-holiday', 'absence', 'vacation', 'sick', 'unpaid'].flatMap((name) => [
    `${name}:hours`,
    `${name}:days`,
  ]),
  ...['work', 'gross', 'break', 'night', 'sunday', 'saturday', 'holiday'].map((name) => `${name}-time:hours`),
  ...['balance:hours', 'overtime:hours'],
];

const runOf = ({ hiredOn, leftOn, ...given }: Given) => ({
  directory: { ...directory, institution: { ...directory.institution, absenceTypes: types }, staff: [{ ...anna, hiredOn, leftOn }] },
  records: [records(anna.id, given)],
});

describe('rows of any records', () => {
  it('equal what is counted minute by minute and date by date', async () => {
    await fc.assert(
      fc.asyncProperty(anyRecords, async (given) => {
        const sums = counted(given);
        const expected = ROW_TYPES.map((type) => `${type},${String(shown(type, sums.of(type)) + 0)}`);
        const parameters = { ...PERIOD, types: ROW_TYPES.join('|'), columns: 'type|value', skip_zero_rows: 'false' };
        expect(await linesOf(parameters, runOf(given))).toEqual(expected);
      }),
    );
  });

  it('equal the values of payroll files', async () => {
    const wageCodes: readonly (readonly [code: string, type: string])[] = [
      ['1000', 'work-time:hours'],
      ['8560', 'vacation:days'],
      ['1602', 'vacation:hours'],
      ['8570', 'sick:days'],
      ['1652', 'sick:hours'],
      ['1015', 'public-holiday:hours'],
    ];
    await fc.assert(
      fc.asyncProperty(anyRecords, async (given) => {
        const sums = counted(given);
        const rows = wageCodes.flatMap(([code, type]) => {
          const amount = shown(type, sums.of(type));
          return amount === 0 ? [] : [`1001;${code};${amount.toFixed(2).replace('.', ',')}`];
        });
        const file = await bodyOf({ ...PERIOD, config: '1|2' }, { ...runOf(given), exporter: 'payroll_b' });
        expect(file).toBe(['1;2;03/2026', ...rows, ''].join('\r\n'));
      }),
    );
  });
});
