import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { newId, uuidV5 } from '@stechuhr/kernel';
import {
  buildAbsence,
  buildDeletion,
  buildEmployee,
  buildInstitution,
  buildWorkday,
  buildWorkmonth,
  testServers,
  watchSubjects,
  type SubjectWatch,
  type TestServers,
} from '@stechuhr/testing';
import { parseLocalDate } from '@stechuhr/worktime';
import mongoose from 'mongoose';
import { startRecords, type RunningRecords } from './support/running-records.js';

let servers: TestServers;
let records: RunningRecords;
let watch: SubjectWatch;
let institution = buildInstitution();
let ids = { institution_id: '', employee_id: '' };
let other = ids;

beforeAll(async () => {
  servers = await testServers();
  records = await startRecords(servers);
  watch = await watchSubjects(servers.natsUrl, 'stechuhr.events.>');
});
afterAll(async () => {
  await watch.stop();
  await records.stop();
  await servers.stop();
});

beforeEach(async () => {
  institution = buildInstitution();
  const [first, second] = [buildEmployee({ institution_id: institution.id }), buildEmployee({ institution_id: institution.id })];
  ids = { institution_id: institution.id, employee_id: first.id };
  other = { institution_id: institution.id, employee_id: second.id };
  await records.importLines(institution, first, second);
});

const workday = (date: string, given: object = {}) => buildWorkday({ ...ids, date, timespans: [], ...given });

/** Returns the months of both employees from February to April 2026, as `employee yyyy-mm: workday ids`. */
async function months() {
  const [fromDay = 0, toDay = 0] = ['2026-03-01', '2026-03-31'].map(parseLocalDate);
  const employeeIds = [ids.employee_id, other.employee_id];
  const found = await records.timeRecords({ institutionId: institution.id }, { employeeIds, fromDay, toDay });
  return found.map(({ workmonths }) =>
    workmonths.map(({ id, month, openingBalanceMinutes, workdays }) => {
      return { id, month, opening: openingBalanceMinutes, workdays: workdays.map((day) => day.id) };
    }),
  );
}

const derived = (month: string, employeeId = ids.employee_id) => uuidV5(institution.id, `${employeeId}/2026-${month}`);

/** Returns the events that were published about the tracked time of the institution. */
async function published(): Promise<string[]> {
  await records.allPublished();
  await watch.settled();
  const mine = watch.messages.filter(({ subject }) => subject.includes(institution.id) && subject.includes('.work'));
  return mine.map(({ subject, text }) => `${subject.split('.').slice(4).join('.')} ${(JSON.parse(text) as { subject: string }).subject}`);
}

/** Returns the same events with the days that they name. */
async function announced(): Promise<unknown[]> {
  await records.allPublished();
  await watch.settled();
  const mine = watch.messages.filter(({ subject }) => subject.includes(institution.id) && /\.(work|abs)/.test(subject));
  return mine.map(({ subject, text }) => [subject.split('.').slice(4).join('.'), (JSON.parse(text) as { data: object }).data]);
}

describe('events of tracked time', () => {
  it('contain the day of a workday, also when it moves or is deleted', async () => {
    const moving = workday('2026-03-31');
    await records.importLines(moving);
    await records.importLines({ ...moving, started_at: '2026-03-31T06:00:00' });
    await records.importLines({ ...moving, date: '2026-04-01' });
    await records.importLines({ ...moving, ...other, date: '2026-04-01' });
    await records.importLines(buildDeletion(moving));
    const { id } = moving;
    const { employee_id } = ids;
    const place = { employee_id, date: '2026-04-01' };
    expect(await announced()).toEqual([
      ['workday.changed', { id, employee_id, date: '2026-03-31' }],
      ['workday.changed', { id, employee_id, date: '2026-03-31' }],
      ['workday.changed', { id, ...place, previous: { employee_id, date: '2026-03-31' } }],
      ['workday.changed', { id, employee_id: other.employee_id, date: '2026-04-01', previous: place }],
      ['workday.deleted', { id, employee_id: other.employee_id, date: '2026-04-01' }],
    ]);
  });

  it('contain the month of a balance and the days of an absence', async () => {
    const opening = buildWorkmonth({ ...ids, year: 2026, month: 3, opening_balance_minutes: 5 });
    const absence = buildAbsence({ ...ids, starts_on: '2026-03-02', ends_on: '2026-03-06' });
    await records.importLines(opening, absence);
    await records.importLines({ ...opening, month: 4 }, { ...absence, ends_on: '2026-03-04' });
    await records.importLines(buildDeletion(opening), buildDeletion(absence));
    const { employee_id } = ids;
    const [march, april] = [3, 4].map((month) => ({ employee_id, year: 2026, month }));
    const [before, after] = ['2026-03-06', '2026-03-04'].map((ends_on) => ({ employee_id, starts_on: '2026-03-02', ends_on }));
    const events = await announced();
    const of = (record: { readonly id: string }) => events.filter((event) => JSON.stringify(event).includes(record.id));
    expect(of(opening)).toEqual([
      ['workmonth.changed', { id: opening.id, ...march }],
      ['workmonth.changed', { id: opening.id, ...april, previous: march }],
      ['workmonth.deleted', { id: opening.id, ...april }],
    ]);
    expect(of(absence)).toEqual([
      ['absence.changed', { id: absence.id, ...before }],
      ['absence.changed', { id: absence.id, ...after, previous: before }],
      ['absence.deleted', { id: absence.id, ...after }],
    ]);
  });
});

it('writes a month once for its record and its workdays', async () => {
  await records.importLines(workday('2026-03-02'));
  const version = async () => (await records.database.collection('workmonths').findOne({ ...ids, month: 3 }))?.['version'] as number;
  const before = await version();
  const opening = buildWorkmonth({ ...ids, year: 2026, month: 3, opening_balance_minutes: 5 });
  const days = ['2026-03-03', '2026-03-04'].map((date) => workday(date));
  await records.importLines(opening, ...days);
  expect(await version()).toBe(before + 1);
  const [[march] = []] = await months();
  expect(march).toMatchObject({ id: opening.id, opening: 5 });
  expect(march?.workdays).toEqual(expect.arrayContaining(days.map(({ id }) => id)));
});

describe('changes of stored records', () => {
  const changes = async (count: number, between: () => Promise<void>): Promise<string[][]> => {
    const employee = buildEmployee({ institution_id: institution.id });
    const day = workday('2026-03-02');
    await records.importLines(employee, day);
    await records.allPublished();
    await watch.settled();
    const before = watch.messages.length;
    for (let at = 0; at < count; at++) {
      await records.importLines(
        { ...employee, last_name: `Name ${String(at)}` },
        { ...day, started_at: `2026-03-02T07:0${String(at)}:00` },
      );
      await between();
    }
    await records.allPublished();
    await watch.settled();
    const mine = watch.messages.slice(before).filter(({ subject }) => subject.includes(institution.id));
    return ['employee', 'workday'].map((kind) =>
      mine.filter(({ subject }) => subject.includes(`.${kind}.`)).map(({ text }) => (JSON.parse(text) as { id: string }).id),
    );
  };

  it('are published in their order', async () => {
    for (const ids of await changes(9, () => Promise.resolve())) {
      expect(ids).toHaveLength(9);
      // Later events have greater ids.
      expect(ids).toEqual(ids.toSorted());
    }
  });

  it('are published without reading their documents, if these contain no other unpublished events', async () => {
    const find = jest.spyOn(mongoose.mongo.Collection.prototype, 'find');
    try {
      const published = await changes(3, () => records.allPublished());
      expect(published.map(({ length }) => length)).toEqual([3, 3]);
      const readBack = find.mock.calls.flatMap(([filter], at) => {
        const { collectionName } = find.mock.contexts[at] as mongoose.mongo.Collection;
        return filter['outbox.id']?.$in === undefined ? [] : [collectionName];
      });
      expect(readBack.filter((name) => name !== 'institutions')).toEqual([]);
    } finally {
      find.mockRestore();
    }
  });
});

describe('a workday', () => {
  it('creates its month, for which no event is published', async () => {
    const [first, second] = [workday('2026-03-03'), workday('2026-03-02')];
    await records.importLines(first, second);
    expect(await months()).toEqual([[{ id: derived('03'), month: 3, opening: undefined, workdays: [second.id, first.id] }], []]);
    expect((await published()).sort()).toEqual([`workday.changed ${first.id}`, `workday.changed ${second.id}`].sort());
  });

  it('is changed in its month', async () => {
    const days = [workday('2026-03-02'), workday('2026-03-03')];
    await records.importLines(...days);
    await records.importLines({ ...days[0], started_at: '2026-03-02T09:00:00' }, ...days.slice(1));
    expect((await months())[0]?.[0]?.workdays).toEqual(days.map(({ id }) => id));
    expect(await published()).toHaveLength(3);
  });

  it('moves to another month, and its old month is deleted if it is empty', async () => {
    const moving = workday('2026-03-31');
    await records.importLines(moving);
    await records.importLines({ ...moving, date: '2026-04-01' });
    expect(await months()).toEqual([[{ id: derived('04'), month: 4, opening: undefined, workdays: [moving.id] }], []]);
    expect(await published()).toEqual([`workday.changed ${moving.id}`, `workday.changed ${moving.id}`]);
    expect(await records.database.collection('workmonths').countDocuments({ institution_id: institution.id })).toBe(1);
  });

  it('moves to another employee, and back', async () => {
    const [moving, staying] = [workday('2026-03-02'), workday('2026-03-03')];
    await records.importLines(moving, staying);
    await records.importLines({ ...moving, ...other });
    expect((await months()).map((list) => list.map(({ workdays }) => workdays))).toEqual([[[staying.id]], [[moving.id]]]);
    await records.importLines(moving);
    expect((await months()).map((list) => list.map(({ workdays }) => workdays))).toEqual([[[moving.id, staying.id]], []]);
  });

  it('counts once while it is stored in two months, and a repeated import repairs that', async () => {
    const moving = workday('2026-03-31');
    const staying = workday('2026-03-30');
    await records.importLines(moving, staying);
    const workmonths = records.database.collection<{ _id: string; workdays: object[] }>('workmonths');
    const march = await workmonths.findOne({ institution_id: institution.id });
    const moved = { ...moving, date: '2026-04-01', started_at: '2026-03-31T08:00:00' };
    await records.importLines(moved);
    // The state after a crash between the two steps.
    await workmonths.updateOne({ _id: march?._id ?? '' }, { $set: { workdays: march?.workdays ?? [] } });
    const both = [
      [
        { month: 3, workdays: [staying.id] },
        { month: 4, workdays: [moving.id] },
      ],
      [],
    ];
    expect(await months()).toMatchObject(both);
    const before = (await published()).length;
    await records.importLines(moved);
    expect((await workmonths.findOne({ _id: march?._id ?? '' }))?.workdays).toMatchObject([{ id: staying.id }]);
    expect(await months()).toMatchObject(both);
    expect(await published()).toHaveLength(before);
  });

  it('is deleted, and the last workday with its month', async () => {
    const days = [workday('2026-03-02'), workday('2026-03-03')];
    await records.importLines(...days);
    await records.importLines(buildDeletion(days[0] ?? workday('')));
    expect((await months())[0]?.[0]?.workdays).toEqual([days[1]?.id]);
    await records.importLines(buildDeletion(days[1] ?? workday('')));
    expect(await months()).toEqual([[], []]);
    await records.allPublished();
    expect(await records.database.collection('workmonths').countDocuments({ institution_id: institution.id })).toBe(0);
    expect((await published()).slice(2)).toEqual(days.map(({ id }) => `workday.deleted ${id}`));
  });

  it('can be written by several imports at the same time', async () => {
    const days = Array.from({ length: 28 }, (_, index) => workday(`2026-03-${String(index + 1).padStart(2, '0')}`));
    const parts = [0, 1, 2, 3].map((part) => days.filter((_, index) => index % 4 === part));
    const results = await Promise.all(parts.map((part) => records.importLines(...part, days[0] ?? {})));
    expect(results.map(({ rejected }) => rejected)).toEqual([[], [], [], []]);
    expect((await months())[0]?.[0]?.workdays).toEqual(days.map(({ id }) => id));
  });
});

describe('a workmonth', () => {
  it('gives its id to a month that its workdays created, in any order', async () => {
    const [march, april] = [
      buildWorkmonth({ ...ids, opening_balance_minutes: 90 }),
      buildWorkmonth({ ...ids, month: 4, opening_balance_minutes: -30 }),
    ];
    const [inMarch, inApril] = [workday('2026-03-02'), workday('2026-04-01')];
    await records.importLines(inMarch, april);
    await records.importLines(march, inApril);
    expect(await months()).toEqual([
      [
        { id: march.id, month: 3, opening: 90, workdays: [inMarch.id] },
        { id: april.id, month: 4, opening: -30, workdays: [inApril.id] },
      ],
      [],
    ]);
  });

  it('moves to another month without the workdays', async () => {
    const record = buildWorkmonth({ ...ids, opening_balance_minutes: 90 });
    const day = workday('2026-03-02');
    await records.importLines(record, day);
    await records.importLines({ ...record, month: 4 });
    expect(await months()).toEqual([
      [
        { id: derived('03'), month: 3, opening: undefined, workdays: [day.id] },
        { id: record.id, month: 4, opening: 90, workdays: [] },
      ],
      [],
    ]);
  });

  it('is rejected if the month already has another one', async () => {
    const [first, second] = [buildWorkmonth(ids), buildWorkmonth(ids)];
    await records.importLines(first);
    const { rejected } = await records.importLines(second);
    expect(rejected.map(({ reason }) => reason)).toEqual([`year and month already have the workmonth ${first.id} of this employee.`]);
    expect(await records.importLines(second, buildDeletion(first))).toMatchObject({ accepted: { workmonth: 2 }, rejected: [] });
    expect((await months())[0]?.[0]?.id).toBe(second.id);
  });

  it('takes the month that a later line of the same file frees', async () => {
    const [first, second, third] = [buildWorkmonth(ids), buildWorkmonth(ids), buildWorkmonth(ids)];
    await records.importLines(first);
    expect((await records.importLines(second, { ...first, month: 4 })).rejected).toEqual([]);
    const others = Array.from({ length: 500 }, () => workday('2026-03-02'));
    expect((await records.importLines(third, ...others, buildDeletion(second))).rejected).toEqual([]);
    expect((await months())[0]?.map(({ id, month }) => [id, month])).toEqual([
      [third.id, 3],
      [first.id, 4],
    ]);
  });

  it('is deleted without the workdays of the month', async () => {
    const record = buildWorkmonth({ ...ids, opening_balance_minutes: 90 });
    const day = workday('2026-03-02');
    await records.importLines(record, day, buildWorkmonth({ ...ids, month: 4 }));
    await records.importLines(buildDeletion(record));
    expect((await months())[0]?.[0]).toEqual({ id: derived('03'), month: 3, opening: undefined, workdays: [day.id] });
    expect((await published()).at(-1)).toBe(`workmonth.deleted ${record.id}`);
  });
});

describe('a month that is full', () => {
  /** A workday with 60 kB of comments; a month may have 2 MB. */
  const large = (date: string, given: object = {}) => {
    const comment = 'x'.repeat(10_000);
    const timespans = [4, 5, 6, 7, 8, 9].map((hour) => ({
      ...{ id: newId(), type: 'work', started_at: `${date}T0${String(hour)}:00:00`, ended_at: `${date}T0${String(hour)}:30:00` },
      ...{ project_id: null, comment },
    }));
    return workday(date, { timespans, ...given });
  };
  const refusal = 'date is in a month of the employee that has 2097152 bytes of workdays.';
  const FITS = 34;
  const days = Array.from({ length: FITS + 1 }, (_, index) => `2026-03-${String((index % 20) + 10)}`);

  it('accepts no further workday, in one batch or several, and does not grow', async () => {
    const lines = days.map((date) => large(date));
    const { rejected } = await records.importLines(...lines);
    expect(rejected.map(({ id, reason }) => [id, reason])).toEqual([[lines[FITS]?.id, refusal]]);
    const [first = large('2026-03-10')] = lines;
    const more = large('2026-03-20');
    expect((await records.importLines(more)).rejected.map(({ reason }) => reason)).toEqual([refusal]);
    // Its workdays may be imported again, may become smaller, and free their space when they are deleted.
    const smaller = { ...first, timespans: first.timespans.slice(1) };
    expect((await records.importLines(first, smaller)).rejected).toEqual([]);
    expect((await records.importLines(more)).rejected.map(({ reason }) => reason)).toEqual([refusal]);
    expect((await records.importLines(buildDeletion(first), more)).rejected).toEqual([]);
    const [[march] = []] = await months();
    expect(march?.workdays.toSorted()).toEqual([...lines.slice(1, FITS).map(({ id }) => id), more.id].toSorted());
  });

  it('accepts a workday for which a later line makes room', async () => {
    const lines = days.slice(0, FITS).map((date) => large(date));
    await records.importLines(...lines);
    const more = large('2026-03-20');
    expect((await records.importLines(more, { ...lines[0], timespans: [] })).rejected).toEqual([]);
    const [[march] = []] = await months();
    expect(march?.workdays.toSorted()).toEqual([...lines.map(({ id }) => id), more.id].toSorted());
  });

  it('rejects a workday that moves into it, which stays in its old month', async () => {
    const lines = days.slice(0, FITS).map((date) => large(date));
    const moving = large('2026-04-01');
    await records.importLines(...lines, moving);
    const { rejected } = await records.importLines({ ...moving, date: '2026-03-31' });
    expect(rejected.map(({ reason }) => reason)).toEqual([refusal]);
    const [[march, april] = []] = await months();
    expect([march?.workdays.length, april?.workdays]).toEqual([FITS, [moving.id]]);
  });

  it('counts the size of workdays that older versions stored, once it is written again', async () => {
    const lines = days.slice(0, FITS).map((date) => large(date));
    await records.importLines(...lines);
    const connection = await mongoose.createConnection(servers.mongodbUrl, { dbName: servers.database('records') }).asPromise();
    await connection.collection('workmonths').updateMany({ employee_id: ids.employee_id }, { $unset: { workday_bytes: 1 } });
    await connection.close();
    const [first = large('2026-03-10')] = lines;
    const longer = { ...first, timespans: [...first.timespans, { ...first.timespans[0], id: newId(), comment: 'x'.repeat(1_000) }] };
    const { rejected } = await records.importLines(longer, large('2026-03-20'));
    expect(rejected.map(({ reason }) => reason)).toEqual([refusal]);
  });
});
