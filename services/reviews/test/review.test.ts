import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cloudEventSchema } from '@stechuhr/contracts';
import { newId } from '@stechuhr/kernel';
import {
  buildAbsence,
  buildAbsenceApplication,
  buildContract,
  buildDepartment,
  buildEmployee,
  buildInstitution,
  buildTimespan,
  buildWorkday,
  buildWorkmonth,
  waitFor,
  watchSubjects,
  type SubjectWatch,
} from '@stechuhr/testing';
import { callerOf, startReviews, type CallerReviews, type RunningReviews, type SeenFinding } from './support/running-reviews.js';

const institution = buildInstitution();
const other = buildInstitution();
const ids = { institution_id: institution.id };
const office = buildDepartment(ids);
const [ANNA, BERND, CARLA, DORA, EMIL] = ['1', '2', '3', '4', '5'].map((n) => `e000000${n}-0000-4000-8000-000000000000`) as [
  string,
  string,
  string,
  string,
  string,
];
/** May 2026, with a balance of 0 hours. */
const MAY = { year: 2026, month: 5 };
const monthId = (n: string) => `a000000${n}-0000-4000-8000-000000000000`;

type Worked = readonly [date: string, from: string, to: string | null, fields?: object];

/** A workday on a date, without timespans unless given. */
function shift(employee_id: string, id: string, ...[date, from, to, fields]: Worked) {
  const full = (time: string) => (time.includes('T') ? time : `${date}T${time}:00`);
  const times = { started_at: full(from), ended_at: to === null ? null : full(to) };
  return buildWorkday({ ...ids, employee_id, id: `d0000000-0000-4000-8000-0000000000${id}`, date, ...times, timespans: [], ...fields });
}

const wd = (id: string) => `workday d0000000-0000-4000-8000-0000000000${id}`;
const someone = (id: string, n: string, fields: object = {}) => [
  buildEmployee({ ...ids, id, hired_on: '2026-01-01', ...fields }),
  buildWorkmonth({ ...ids, employee_id: id, ...MAY, id: monthId(n) }),
];

const application = buildAbsenceApplication({ ...ids, employee_id: BERND, starts_on: '2026-04-20', ends_on: '2026-05-06' });
const lunch = buildTimespan({ type: 'break', started_at: '2026-05-11T12:00:00', ended_at: '2026-05-11T12:00:00' });
const work = buildTimespan({ started_at: '2026-05-11T08:00:00', ended_at: '2026-05-11T10:00:00' });

const lines = [
  institution,
  office,
  // Anna, without a department and a contract: a night shift across the 1st, an open workday, a short break, late edits.
  ...someone(ANNA, '1'),
  shift(ANNA, '11', '2026-04-30', '14:00', '22:30'),
  shift(ANNA, '12', '2026-05-01', '06:00', '12:00'),
  shift(ANNA, '13', '2026-05-05', '08:00', null),
  shift(ANNA, '14', '2026-05-11', '08:00', '13:00', { timespans: [work, lunch] }),
  shift(ANNA, '15', '2026-05-12', '08:00', '11:00', { edits: [{ at: '2026-05-25T11:00:00', by: 'employee' }] }),
  // Bernd, with a contract for Mondays: overlapping workdays, a pending application, an absence.
  ...someone(BERND, '2', { department_id: office.id }),
  buildContract({ ...ids, employee_id: BERND, planned_minutes: [480, 0, 0, 0, 0, 0, 0], overtime_min_hours: -10 }),
  shift(BERND, '21', '2026-05-11', '08:00', '12:00'),
  shift(BERND, '22', '2026-05-11', '11:30', '13:00'),
  application,
  buildAbsence({ ...ids, employee_id: BERND, starts_on: '2026-05-18', ends_on: '2026-05-18' }),
  // Carla has only an absence in May: no workday, so no findings.
  buildEmployee({ ...ids, id: CARLA }),
  buildContract({ ...ids, employee_id: CARLA }),
  buildAbsence({ ...ids, employee_id: CARLA, starts_on: '2026-05-04', ends_on: '2026-05-08' }),
  buildAbsenceApplication({ ...ids, employee_id: CARLA, starts_on: '2026-05-11', ends_on: '2026-05-12' }),
  shift(CARLA, '31', '2026-06-01', '08:00', '12:00'),
  other,
];

const EXPECTED: SeenFinding[] = [
  {
    code: 'insufficient-break',
    date: '2026-05-01',
    references: [`employee ${ANNA}`, `workmonth ${monthId('1')}`, wd('12')],
    context: { net_working_seconds: 21_600, actual_break_seconds: 0, required_break_seconds: 1800 },
    details: 'Verdacht: Am 01.05.2026 stehen 6 Stunden Arbeit nur 0 Minuten Pause gegenüber, nötig sind 30 Minuten.',
  },
  {
    code: 'insufficient-rest-period',
    date: '2026-05-01',
    references: [`employee ${ANNA}`, `workmonth ${monthId('1')}`, wd('11'), wd('12')],
    context: { rest_seconds: 27_000, required_rest_seconds: 39_600 },
    details: 'Verdacht: Vor dem Arbeitsbeginn am 01.05.2026 um 06:00 Uhr lagen nur 7,5 Stunden Ruhezeit, nötig sind 11 Stunden.',
  },
  {
    code: 'pending-absence-application',
    date: '2026-05-01',
    references: [`employee ${BERND}`, `workmonth ${monthId('2')}`, `absence-application ${application.id}`],
    context: { starts_on: '2026-04-20', ends_on: '2026-05-06' },
    details: 'Der Antrag für 20.04.2026 bis 06.05.2026 ist noch nicht entschieden.',
  },
  {
    code: 'incomplete-workday',
    date: '2026-05-05',
    references: [`employee ${ANNA}`, `workmonth ${monthId('1')}`, wd('13')],
    context: {},
    details: 'Der Arbeitstag vom 05.05.2026 begann um 08:00 Uhr und hat kein Ende.',
  },
  {
    code: 'overlapping-workdays',
    date: '2026-05-11',
    references: [`employee ${BERND}`, `workmonth ${monthId('2')}`, wd('21'), wd('22')],
    context: { overlap_seconds: 1800 },
    details: 'Zwei Arbeitstage vom 11.05.2026 überschneiden sich um 30 Minuten.',
  },
  {
    code: 'unbalanced-worktime',
    date: '2026-05-11',
    references: [`employee ${ANNA}`, `workmonth ${monthId('1')}`, wd('14'), `timespan ${work.id}`],
    context: { net_working_seconds: 18_000, timespan_seconds: 7200, difference_seconds: 10_800 },
    details: 'Der Arbeitstag vom 11.05.2026 hat 5 Stunden Nettoarbeitszeit, seine Zeitabschnitte ergeben 2 Stunden.',
  },
  {
    code: 'zero-duration-timespan',
    date: '2026-05-11',
    references: [`employee ${ANNA}`, `workmonth ${monthId('1')}`, `timespan ${lunch.id}`],
    context: {},
    details: 'Die Pause um 12:00 Uhr am 11.05.2026 hat keine Dauer.',
  },
  {
    code: 'delayed-employee-edit',
    date: '2026-05-12',
    references: [`employee ${ANNA}`, `workmonth ${monthId('1')}`, wd('15')],
    context: { edited_at: '2026-05-25T11:00:00', delay_seconds: 13 * 86_400 },
    details: 'Der Arbeitstag vom 12.05.2026 wurde 312 Stunden nach seinem Ende geändert, vorgesehen sind höchstens 168 Stunden.',
  },
  {
    // Planned are Mondays 4, 11 and 18 (25 is a holiday): 24 h; worked 5.5 h, 8 h credited.
    code: 'overtime-account-out-of-range',
    date: '2026-05-31',
    references: [`employee ${BERND}`, `workmonth ${monthId('2')}`],
    context: { balance_seconds: -37_800, min_seconds: -36_000, max_seconds: 144_000 },
    details: 'Das Arbeitszeitkonto steht am 31.05.2026 bei −10,5 Stunden, vereinbart sind −10 Stunden bis 40 Stunden.',
  },
];

let running: RunningReviews;
let admin: CallerReviews;
let leader: CallerReviews;
let published: SubjectWatch;

beforeAll(async () => {
  running = await startReviews('2026-06-15T10:00:00Z');
  published = await watchSubjects(running.servers.natsUrl, 'stechuhr.events.*.reviews.review.>');
  await running.importLines(lines);
  admin = running.as(callerOf(institution.id));
  leader = running.as(callerOf(institution.id, [office.id]));
});
afterAll(async () => {
  await published.stop();
  await running.stop();
});

describe('a review', () => {
  it('returns every finding of the month in order', async () => {
    expect(await admin.review(2026, 5)).toEqual(EXPECTED);
  });

  it('covers the whole organization, regardless of the caller', async () => {
    expect(await leader.review(2026, 5)).toEqual(EXPECTED);
  });

  it('is the same every time, even after findings were suppressed', async () => {
    const bytes = async () => JSON.stringify(await admin.run({ year: '2026', month: '05' }));
    const before = await bytes();
    expect(await bytes()).toBe(before);
    const rules = await Promise.all([
      admin.create({ code: 'insufficient-break', valid_from: '2026-01-01' }),
      admin.create({ code: 'incomplete-workday', employee_id: ANNA, valid_from: '2026-05-05', valid_to: '2026-05-05' }),
    ]);
    expect(await bytes()).toBe(before);
    for (const { suppression } of rules) await admin.delete(suppression.id);
  });

  it('finds nothing in a month or institution without records', async () => {
    expect(await admin.review(2027, 1)).toEqual([]);
    expect(await running.as(callerOf(other.id)).review(2026, 5)).toEqual([]);
    const message = await admin.run({ year: '2027', month: '1' });
    expect(message).toEqual([{ year: 2027, month: 1, findings: [] }]);
  });

  it('is not found for an institution that does not exist', async () => {
    await expect(running.as(callerOf(newId())).review(2026, 5)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('publishes its result', async () => {
    await admin.review(2026, 5);
    // Events of earlier tests may still arrive.
    const { type, data } = await waitFor(() =>
      published.messages
        .map(({ text }) => cloudEventSchema.parse(JSON.parse(text)))
        .find((event) => event.data['year'] === 2026 && event.data['month'] === 5),
    );
    expect(type).toBe('stechuhr.reviews.review.ran.v1');
    expect(data).toEqual({ id: expect.any(String), year: 2026, month: 5, employees: 2, findings: EXPECTED.length });
  });

  it.each<[Record<string, string>, object]>([
    [{}, { year: ['This field is required.'], month: ['This field is required.'] }],
    [
      { year: '1969', month: '13' },
      {
        year: ['Ensure this value is greater than or equal to 1970.'],
        month: ['Ensure this value is less than or equal to 12.'],
      },
    ],
    [
      { year: '10000', month: '0' },
      { year: [expect.any(String)], month: ['Ensure this value is greater than or equal to 1.'] },
    ],
    [
      { year: '2026.0', month: 'May' },
      { year: ['A valid integer is required.'], month: ['A valid integer is required.'] },
    ],
  ])('refuses %j', async (parameters, details) => {
    await expect(admin.run(parameters)).rejects.toMatchObject({ code: 'invalid', details });
    await expect(admin.run(parameters, true)).rejects.toMatchObject({ code: 'invalid', details });
  });

  it('only validates, if requested', async () => {
    expect(await admin.run({ year: '2026', month: '+5' }, true)).toEqual([{ year: 2026, month: 5, findings: [] }]);
  });
});

describe('concurrent reviews', () => {
  it('of one institution do not delay others, and are rejected if too many wait', async () => {
    const ended: string[] = [];
    const ends = (who: string, review: Promise<unknown>) => review.then(() => void ended.push(who));
    const many = Array.from({ length: 80 }, () => ends('one', admin.review(2026, 5)));
    const [, ...outcomes] = await Promise.allSettled([ends('other', running.as(callerOf(other.id)).review(2026, 5)), ...many]);
    expect(ended.indexOf('other')).toBeLessThan(10);
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
    expect(refused.length).toBeGreaterThan(0);
    for (const reason of refused) expect(reason).toMatchObject({ code: 'rate_limited', message: 'At most 50 may wait; try again later.' });
    expect(ended.length).toBeGreaterThan(50);
  });
});

describe('an overtime account', () => {
  const accountOf = async (employee: string, year: number, month: number) =>
    (await admin.review(year, month))
      .filter(({ code, references }) => code === 'overtime-account-out-of-range' && references[0] === `employee ${employee}`)
      .map(({ date, context }) => [date, Number(context['balance_seconds']) / 3600]);

  beforeAll(async () => {
    // Eight hours planned on Mondays; Dora's balance is known in February, Emil's never. Each works two hours on the 2nd of each month.
    const months = ['2025-12', '2026-01', '2026-02', '2026-03', '2026-04'];
    const mondays = { planned_minutes: [480, 0, 0, 0, 0, 0, 0], overtime_min_hours: 0, overtime_max_hours: 0 };
    await running.importLines([
      buildEmployee({ ...ids, id: DORA }),
      buildEmployee({ ...ids, id: EMIL }),
      ...[DORA, EMIL].flatMap((employee_id, index) => [
        buildContract({ ...ids, employee_id, ...mondays, valid_to: '2026-03-31' }),
        ...months.map((month, at) => shift(employee_id, `${String(index + 4)}${String(at)}`, `${month}-02`, '08:00', '10:00')),
      ]),
      buildWorkmonth({ ...ids, employee_id: DORA, year: 2026, month: 2, opening_balance_minutes: 6000 }),
    ]);
  });

  it('continues from the latest opening balance', async () => {
    // February has four planned Mondays, March has five, April has none: the contract has ended, but its range still applies.
    expect(await accountOf(DORA, 2026, 2)).toEqual([['2026-02-28', 100 + 2 - 32]]);
    expect(await accountOf(DORA, 2026, 3)).toEqual([['2026-03-31', 100 + 4 - 72]]);
    expect(await accountOf(DORA, 2026, 4)).toEqual([['2026-04-30', 100 + 6 - 72]]);
  });

  it('starts at zero in the first tracked month if there is no opening balance', async () => {
    // Mondays: five in December 2025, four in January 2026 (the 1st and the 6th are other days).
    expect(await accountOf(EMIL, 2025, 12)).toEqual([['2025-12-31', 2 - 40]]);
    expect(await accountOf(EMIL, 2026, 1)).toEqual([['2026-01-31', 4 - 72]]);
    expect(await accountOf(DORA, 2026, 1)).toEqual([['2026-01-31', 4 - 72]]);
  });
});
