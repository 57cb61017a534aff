import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checkCodes, cloudEventSchema } from '@stechuhr/contracts';
import { createEvent } from '@stechuhr/bus';
import type { ReferenceLookup } from '@stechuhr/ingest';
import { newId, systemClock } from '@stechuhr/kernel';
import { connectMongo } from '@stechuhr/mongo';
import { createLogger } from '@stechuhr/service';
import {
  buildDeletion,
  buildDepartment,
  buildEmployee,
  buildInstitution,
  buildWorkday,
  judgeOutOfBounds,
  OUT_OF_BOUNDS,
  waitFor,
  watchSubjects,
  type SubjectWatch,
  untilAvailable,
} from '@stechuhr/testing';
import { formatLocalDate, parseLocalDate } from '@stechuhr/worktime';
import type { Suppression } from '../src/domain/suppression.js';
import { removeInstitution, removeSuppressionsOfEmployee } from '../src/operations/forget-deleted.js';
import type { ReviewSettings } from '../src/domain/settings.js';
import type { ReviewEvents } from '../src/operations/ports.js';
import { createSettingsStore, settingsModel } from '../src/store/settings-store.js';
import { suppressionModel } from '../src/store/suppression-model.js';
import { createSuppressionStore } from '../src/store/suppression-store.js';
import { checks } from '../src/domain/checks/index.js';
import { callerOf, startReviews, type CallerReviews, type RunningReviews } from './support/running-reviews.js';

const institution = buildInstitution();
const other = buildInstitution();
const ids = { institution_id: institution.id };
const office = buildDepartment(ids);
const anna = buildEmployee(ids);
const bernd = buildEmployee(ids);
const stranger = buildEmployee({ institution_id: other.id });

let running: RunningReviews;
let admin: CallerReviews;
let leader: CallerReviews;
let foreigner: CallerReviews;
let published: SubjectWatch;

beforeAll(async () => {
  running = await startReviews('2026-06-15T10:00:00.750Z', { maxSuppressions: 60 });
  published = await watchSubjects(running.servers.natsUrl, 'stechuhr.events.*.reviews.>');
  await running.importLines([institution, other, office, anna, bernd, stranger]);
  admin = running.as(callerOf(institution.id));
  leader = running.as(callerOf(institution.id, [office.id]));
  foreigner = running.as(callerOf(other.id));
});
afterAll(async () => {
  await published.stop();
  await running.stop();
});

const day = (text: string) => parseLocalDate(text) ?? Number.NaN;
const at = (instant: string) => Math.floor(Date.parse(instant) / 1000);
const body = (fields: object = {}) => ({ code: 'insufficient-break', valid_from: '2026-05-01', ...fields });

interface SeenEvent {
  readonly type: string;
  readonly data: unknown;
}

/** Returns the events of a rule that have arrived. */
function eventsOf(id: string): SeenEvent[] {
  return published.messages
    .map(({ text }) => cloudEventSchema.parse(JSON.parse(text)))
    .filter(({ subject }) => subject === id)
    .map(({ type, data }) => ({ type: type.split('.').at(-2) ?? '', data }));
}

describe('a suppression rule', () => {
  it('is created, read, changed and deleted, each change with its event', async () => {
    const { suppression: rule, created } = await admin.create(body({ employee_id: anna.id.toUpperCase(), valid_to: '2026-05-31' }));
    expect(created).toBe(true);
    expect(rule).toEqual({
      id: expect.any(String),
      code: 'insufficient-break',
      employeeId: anna.id,
      validFrom: day('2026-05-01'),
      validTo: day('2026-05-31'),
      createdAt: at('2026-06-15T10:00:00Z'),
      modifiedAt: at('2026-06-15T10:00:00Z'),
    });
    expect(await admin.get(rule.id)).toEqual(rule);
    running.setNow('2026-06-15T11:00:00Z');
    const changed = await admin.update(rule.id, { employee_id: null, valid_to: null });
    expect(changed).toEqual({ ...rule, employeeId: undefined, validTo: undefined, modifiedAt: at('2026-06-15T11:00:00Z') });
    expect(await admin.get(rule.id)).toEqual(changed);
    await admin.delete(rule.id);
    await expect(admin.get(rule.id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(admin.delete(rule.id)).rejects.toMatchObject({ code: 'not_found' });
    const data = { id: rule.id, code: 'insufficient-break' };
    expect(await waitFor(() => (eventsOf(rule.id).length === 3 ? eventsOf(rule.id) : undefined))).toEqual([
      { type: 'created', data: { ...data, employee_id: anna.id } },
      { type: 'updated', data: { ...data, employee_id: null } },
      { type: 'deleted', data: { ...data, employee_id: null } },
    ]);
  });

  it('accepts the code of every check', () => {
    expect(checkCodes).toEqual(checks.map(({ code }) => code));
  });

  it('exists once after concurrent creations', async () => {
    const wanted = Array.from({ length: 50 }, (_, index) => ({
      ...body({ code: 'future-workday', employee_id: index % 2 === 0 ? null : undefined }),
      valid_to: `2026-05-${String((index % 28) + 1).padStart(2, '0')}`,
    }));
    const answers = await Promise.all(wanted.map((one) => untilAvailable(() => admin.create(one))));
    expect(answers.filter(({ created }) => created)).toHaveLength(1);
    expect(new Set(answers.map(({ suppression }) => JSON.stringify(suppression))).size).toBe(1);
    const [first] = answers;
    const kept = first?.suppression.validTo;
    const again = await admin.create({ ...body({ code: 'future-workday' }), valid_to: '2026-12-31' });
    expect([again.created, again.suppression.validTo]).toEqual([false, kept]);
    await admin.delete(again.suppression.id);
    const { created, suppression } = await admin.create(body({ code: 'future-workday' }));
    expect([created, suppression.id === again.suppression.id]).toEqual([true, false]);
    await admin.delete(suppression.id);
  });

  it('can be changed to a free combination, but not to a taken one', async () => {
    const { suppression: all } = await admin.create(body());
    const { suppression: one } = await admin.create(body({ employee_id: anna.id }));
    const { suppression: later } = await admin.create(body({ valid_from: '2026-06-01' }));
    for (const [id, change] of [
      [one.id, { employee_id: null }],
      [later.id, { valid_from: '2026-05-01' }],
    ] as const) {
      await expect(admin.update(id, change)).rejects.toMatchObject({
        code: 'invalid',
        details: { non_field_errors: ['The fields code, employee_id, valid_from must make a unique set.'] },
      });
    }
    await admin.delete(all.id);
    expect(await admin.update(one.id, { employee_id: null })).toMatchObject({ id: one.id, employeeId: undefined });
    expect((await admin.create(body({ employee_id: anna.id }))).created).toBe(true);
    for (const { id } of (await admin.list()).suppressions) await admin.delete(id);
  });

  it('is not modified by a change without effect', async () => {
    const { suppression: rule } = await admin.create(body({ employee_id: anna.id, valid_to: '2026-05-31' }));
    running.setNow('2026-06-16T11:00:00Z');
    expect(await admin.update(rule.id, {})).toEqual(rule);
    expect(await admin.update(rule.id, { code: rule.code, employee_id: anna.id, valid_to: '2026-05-31', unknown: 1 })).toEqual(rule);
    expect(await admin.get(rule.id)).toEqual(rule);
    await admin.delete(rule.id);
    const seen = await waitFor(() => (eventsOf(rule.id).some(({ type }) => type === 'deleted') ? eventsOf(rule.id) : undefined));
    expect(seen.map(({ type }) => type)).toEqual(['created', 'deleted']);
  });

  it('keeps all concurrent changes', async () => {
    const { suppression: rule } = await admin.create(body({ employee_id: anna.id }));
    await Promise.all([
      admin.update(rule.id, { valid_to: '2026-12-31' }),
      admin.update(rule.id, { code: 'excessive-daily-hours' }),
      admin.update(rule.id, { valid_from: '2026-05-02' }),
      admin.update(rule.id, { employee_id: bernd.id }),
    ]);
    expect(await admin.get(rule.id)).toMatchObject({
      code: 'excessive-daily-hours',
      employeeId: bernd.id,
      validFrom: day('2026-05-02'),
      validTo: day('2026-12-31'),
    });
    await admin.delete(rule.id);
  });

  it('is visible to department leaders, but not to other institutions', async () => {
    const { suppression: rule } = await admin.create(body({ employee_id: anna.id }));
    expect(await leader.get(rule.id)).toEqual(rule);
    expect((await leader.list()).count).toBe(1);
    expect((await leader.create(body({ employee_id: bernd.id }))).created).toBe(true);
    await expect(foreigner.get(rule.id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(foreigner.update(rule.id, { code: 'nonsense' })).rejects.toMatchObject({ code: 'not_found' });
    await expect(foreigner.delete(rule.id)).rejects.toMatchObject({ code: 'not_found' });
    expect((await foreigner.list({ ids: rule.id })).count).toBe(0);
    expect((await foreigner.create(body())).created).toBe(true);
    expect((await admin.list()).count).toBe(2);
    for (const caller of [admin, foreigner]) for (const { id } of (await caller.list()).suppressions) await caller.delete(id);
  });

  it('is deleted with its employee', async () => {
    const leaving = buildEmployee(ids);
    await running.importLines([leaving]);
    const { suppression: gone } = await admin.create(body({ employee_id: leaving.id }));
    const { suppression: stays } = await admin.create(body());
    await running.importLines([buildDeletion(leaving)]);
    await waitFor(async () => (await admin.list({ ids: gone.id })).count === 0 || undefined);
    expect(await admin.get(stays.id)).toEqual(stays);
    await waitFor(() => eventsOf(gone.id).some(({ type }) => type === 'deleted') || undefined);
    await running.importLines([leaving]);
    expect((await admin.create(body({ employee_id: leaving.id }))).created).toBe(true);
    for (const { id } of (await admin.list()).suppressions) await admin.delete(id);
  });
});

const deletedAt = new Date('2026-06-15T10:00:00Z');

/** The stores and the dependencies of their removals, without a service. Events are published only in the database of the service. */
async function withStore(use: (stored: Awaited<ReturnType<typeof openStore>>) => Promise<void>, where: Partial<Where> = {}): Promise<void> {
  const stored = await openStore({ database: newId(), institutionId: institution.id, ...where });
  try {
    await use(stored);
  } finally {
    await stored.close();
  }
}

interface Where {
  readonly database: string;
  readonly institutionId: string;
}

async function openStore({ database, institutionId }: Where) {
  const { servers } = running;
  const mongo = await connectMongo({
    url: servers.mongodbUrl,
    database: servers.database(database),
    logger: createLogger('test', 'fatal'),
  });
  const store = createSuppressionStore(suppressionModel(mongo.connection), systemClock);
  const events: ReviewEvents = {
    suppression: (type, { institutionId }, { id, code, employeeId }) =>
      createEvent({ type, institutionId, data: { id, code, employee_id: employeeId }, clock: systemClock }),
    reviewRan: () => undefined,
  };
  const tenant = { institutionId };
  const insert = async (fields: Partial<Suppression>): Promise<Suppression> => {
    const times = { createdAt: deletedAt.getTime() - 1_000, modifiedAt: deletedAt.getTime() - 1_000 };
    const common = { code: 'insufficient-break', employeeId: anna.id, validFrom: day('2026-05-01'), validTo: null } as const;
    const rule = { id: newId(), ...common, ...times, ...fields };
    await store.insert(tenant, rule, events.suppression('reviews.suppression.created', tenant, rule));
    return rule;
  };
  return { store, settings: createSettingsStore(settingsModel(mongo.connection)), events, tenant, insert, close: () => mongo.close() };
}

// The state after a process checked existence and then was killed after its write, or was slower than the clean-up.
describe('a rule that is written after its employee or institution was deleted and cleaned up', () => {
  it('is deleted, for an employee and for an institution with its settings', async () => {
    const own = buildInstitution();
    const someone = buildEmployee({ institution_id: own.id });
    await running.importLines([own, someone]);
    const caller = running.as(callerOf(own.id));
    const { suppression: first } = await caller.create(body({ employee_id: someone.id }));
    const { suppression: forAll } = await caller.create(body());
    await running.importLines([buildDeletion(someone)]);
    await waitFor(() => eventsOf(first.id).some(({ type }) => type === 'deleted'));
    await withStore(
      async ({ settings, insert }) => {
        const late = await insert({ employeeId: someone.id });
        await waitFor(() => eventsOf(late.id).some(({ type }) => type === 'deleted'));
        expect((await caller.list()).suppressions.map(({ id }) => id)).toEqual([forAll.id]);
        await running.importLines([buildDeletion(own)]);
        await waitFor(() => eventsOf(forAll.id).some(({ type }) => type === 'deleted'));
        await settings.write({ institutionId: own.id }, { checks: [], options: {} });
        const lateForAll = await insert({ employeeId: null });
        await waitFor(() => eventsOf(lateForAll.id).some(({ type }) => type === 'deleted'));
        await waitFor(async () => (await settings.find({ institutionId: own.id })) === undefined);
        expect((await caller.list()).count).toBe(0);
      },
      { database: 'reviews', institutionId: own.id },
    );
  });
});

describe('data that is written for re-created records during their clean-up', () => {
  const later = { modifiedAt: deletedAt.getTime() + 1_000 };

  it('is kept for an employee', async () => {
    await withStore(async ({ store, events, tenant, insert }) => {
      const before = await insert({});
      const since: Suppression[] = [];
      const references: ReferenceLookup = {
        async missing(asked) {
          if (since.length > 0) return [];
          since.push(await insert({ ...later, validFrom: day('2026-06-01') }));
          return [...asked];
        },
      };
      const context = { suppressions: store, events, references, notifyOutbox: () => undefined };
      await removeSuppressionsOfEmployee(context, tenant, { employeeId: anna.id, deletedAt });
      expect(await store.find(tenant, before.id)).toBeUndefined();
      expect(await store.ofEmployee(tenant, anna.id)).toEqual(since);
    });
  });

  it('is kept for an institution, with its settings', async () => {
    await withStore(async ({ store, settings, events, tenant, insert }) => {
      const before = await insert({});
      const chosen: ReviewSettings = { checks: ['future-workday'], options: {} };
      await settings.write(tenant, { checks: [], options: {} });
      let asked = 0;
      const since: Suppression[] = [];
      const references: ReferenceLookup = {
        async missing(named) {
          // The institution is missing while its rules are checked, and exists again while its settings are checked.
          if (++asked > 2) return [];
          if (asked === 2) {
            since.push(await insert({ ...later, employeeId: null }));
            await settings.write(tenant, chosen);
          }
          return [...named];
        },
      };
      await removeInstitution({ suppressions: store, settings, events, references, notifyOutbox: () => undefined }, tenant, deletedAt);
      expect(await store.find(tenant, before.id)).toBeUndefined();
      expect(await store.ofInstitution(tenant)).toEqual(since);
      expect(await settings.find(tenant)).toEqual(chosen);
    });
  });
});

describe('a rule that is changed while it is deleted with its employee', () => {
  it.each<[string, boolean, Partial<Suppression>, 'stays' | 'goes']>([
    ['for the employee who came back', true, { validTo: day('2026-05-31') }, 'stays'],
    ['for somebody else', false, { employeeId: bernd.id }, 'stays'],
    ['before the employee was deleted', false, { validTo: day('2026-05-31') }, 'goes'],
  ])('%s', async (_, isBack, change, fate) => {
    await withStore(async ({ store, events, tenant, insert }) => {
      const before = await insert({});
      const after = { ...before, ...change, modifiedAt: deletedAt.getTime() + 1_000 };
      const ofEmployee: typeof store.ofEmployee = async (...asked) => {
        const found = await store.ofEmployee(...asked);
        await store.replace(tenant, { before, after }, events.suppression('reviews.suppression.updated', tenant, after));
        return found;
      };
      const references: ReferenceLookup = { missing: async (asked) => (isBack ? [] : [...asked]) };
      const context = { suppressions: { ...store, ofEmployee }, events, references, notifyOutbox: () => undefined };
      await removeSuppressionsOfEmployee(context, tenant, { employeeId: anna.id, deletedAt });
      expect(await store.find(tenant, before.id)).toEqual(fate === 'stays' ? after : undefined);
    });
  });
});

describe('the rules of an institution', () => {
  it('are limited in number', async () => {
    const full = buildInstitution();
    await running.importLines([full]);
    const caller = running.as(callerOf(full.id));
    const days = Array.from({ length: 60 }, (_, at) => formatLocalDate(day('2026-01-01') + at));
    const [first] = await Promise.all(days.map((valid_from) => untilAvailable(() => caller.create(body({ valid_from })))));
    await expect(caller.create(body({ valid_from: '2027-01-01' }))).rejects.toMatchObject({
      details: { non_field_errors: ['The institution has 60 suppressions. Delete one first.'] },
    });
    // Problems of the body take precedence.
    await expect(caller.create(body({ valid_from: 'soon' }))).rejects.toMatchObject({ details: { valid_from: expect.anything() } });
    expect(await caller.create(body({ valid_from: '2026-01-01' }))).toEqual({ suppression: first?.suppression, created: false });
    await caller.delete(first?.suppression.id ?? '');
    expect(await caller.create(body({ valid_from: '2027-01-01' }))).toMatchObject({ created: true });
  });

  it('are deleted with it, and so are its settings', async () => {
    const other = buildInstitution();
    const someone = buildEmployee({ institution_id: other.id });
    await running.importLines([other, someone]);
    await running.importSettings([{ kind: 'review_settings', institution_id: other.id, checks: [] }]);
    const caller = running.as(callerOf(other.id));
    const { suppression: all } = await caller.create(body());
    const { suppression: one } = await caller.create(body({ employee_id: someone.id }));
    await running.importLines([buildDeletion(other)]);
    await waitFor(async () => (await caller.list()).count === 0 || undefined);
    for (const { id } of [all, one]) await waitFor(() => eventsOf(id).some(({ type }) => type === 'deleted') || undefined);
    await waitFor(async () => (await caller.checks()).length === 14 || undefined);
    await running.importLines([other]);
    expect((await caller.create(body())).created).toBe(true);
  });
});

describe('a body', () => {
  const missing = newId();
  const noEmployee = (id: string) => ({ employee_id: [`Invalid pk "${id}" - object does not exist.`] });
  const reversed = { non_field_errors: ['valid_to must not be before valid_from.'] };

  it.each<[string, unknown, object]>([
    ['that is empty', {}, { code: ['This field is required.'], valid_from: ['This field is required.'] }],
    ['that is no object', [], { non_field_errors: ['Invalid data. Expected a dictionary, but got list.'] }],
    ['with an unknown code', body({ code: 'nonsense' }), { code: ['"nonsense" is not a valid choice.'] }],
    ['with an unknown employee', body({ employee_id: missing }), noEmployee(missing)],
    ['with an employee of another institution', body({ employee_id: stranger.id }), noEmployee(stranger.id)],
    ['with a broken id', body({ employee_id: 'x' }), { employee_id: ['Must be a valid UUID.'] }],
    ['with its dates reversed', body({ valid_to: '2026-04-30' }), reversed],
    [
      'with several problems, all of them reported',
      { code: null, employee_id: missing, valid_from: '2026-02-30', valid_to: 7 },
      {
        ...noEmployee(missing),
        code: ['This field may not be null.'],
        valid_from: ['Date has wrong format. Use one of these formats instead: YYYY-MM-DD.'],
        valid_to: ['Date has wrong format. Use one of these formats instead: YYYY-MM-DD.'],
      },
    ],
  ])('%s is rejected', async (_, wrong, details) => {
    await expect(admin.create(wrong)).rejects.toMatchObject({ code: 'invalid', details });
  });

  it('of a change is validated together with the stored fields', async () => {
    const { suppression: rule } = await admin.create(body({ valid_to: '2026-05-31' }));
    const refused: [object, object][] = [
      [{ valid_from: '2026-06-01' }, reversed],
      [{ valid_to: '2026-04-30' }, reversed],
      [{ valid_from: null }, { valid_from: ['This field may not be null.'] }],
      [
        { employee_id: stranger.id, valid_to: '2026-04-30' },
        { ...noEmployee(stranger.id), ...reversed },
      ],
      [
        { code: 'x', valid_to: 'x' },
        { code: ['"x" is not a valid choice.'], valid_to: expect.anything() },
      ],
    ];
    for (const [change, details] of refused) {
      await expect(admin.update(rule.id, change)).rejects.toMatchObject({ code: 'invalid', details });
    }
    expect(await admin.update(rule.id, { valid_from: '2026-06-01', valid_to: '2026-06-01' })).toMatchObject({
      validFrom: day('2026-06-01'),
      validTo: day('2026-06-01'),
    });
    await admin.delete(rule.id);
  });

  it('of a change is validated after the existence of the rule', async () => {
    await expect(admin.update(missing, { code: 'nonsense' })).rejects.toMatchObject({ code: 'not_found' });
    await expect(admin.update('x', {})).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('the list', () => {
  const rules: string[] = [];

  beforeAll(async () => {
    for (const [index, fields] of [
      { valid_from: '2026-03-01', valid_to: '2026-03-31' },
      { valid_from: '2026-01-01', code: 'unfiled-absence', employee_id: anna.id },
      { valid_from: '2026-04-01', valid_to: '2026-04-01', employee_id: bernd.id },
      { valid_from: '2026-02-01', valid_to: '2026-12-31', employee_id: anna.id },
    ].entries()) {
      running.setNow(`2026-06-1${String(index)}T10:00:00Z`);
      rules.push((await admin.create(body(fields))).suppression.id);
    }
  });
  afterAll(async () => {
    for (const id of rules) await admin.delete(id);
  });

  const shown = async (parameters?: Record<string, string>, page?: { limit?: number; offset?: number }) => {
    const { count, suppressions } = await admin.list(parameters, page);
    return { count, from: suppressions.map(({ validFrom }) => formatLocalDate(validFrom).slice(5, 7)).join(' ') };
  };

  it.each<[Record<string, string>, string]>([
    [{}, '01 02 03 04'],
    // By range: the rule of January is permanent, that of February lasts until December, those of March and April are short.
    [{ daterange: '2026-03-31|2026-04-01' }, '01 02 03 04'],
    [{ daterange: '2026-04-01|2026-04-30' }, '01 02 04'],
    [{ daterange: '2026-04-02|' }, '01 02'],
    [{ daterange: '2027-01-01|' }, '01'],
    [{ daterange: '|2026-01-31' }, '01'],
    [{ daterange: '|2026-03-01' }, '01 02 03'],
    [{ daterange: '2025-01-01|2025-12-31' }, ''],
    [{ daterange: '|' }, '01 02 03 04'],
    [{ valid_from__lte: '2026-02-01' }, '01 02'],
    [{ valid_from__lte: '2026-01-31' }, '01'],
    [{ valid_until__gte: '2026-04-01' }, '01 02 04'],
    [{ valid_until__gte: '2026-04-02' }, '01 02'],
    [{ valid_until__gte: '2027-01-01' }, '01'],
    [{ valid_from__lte: '2026-03-31', valid_until__gte: '2026-03-31' }, '01 02 03'],
    [{ valid_from__lte: '2026-02-01', daterange: '|2026-03-31' }, '01 02'],
    // Created on four days at noon.
    [{ modified_since: '2026-06-12T12:00:00' }, '02 04'],
    [{ modified_since: '2026-06-12T12:00:01' }, '02'],
    [{ employee_ids: `${anna.id}|x` }, '01 02'],
    [{ employee_ids: `${anna.id.toUpperCase()}|${bernd.id}` }, '01 02 04'],
    [{ employee_ids: 'x' }, ''],
    [{ ids: 'x' }, ''],
    [{ ids: '|' }, ''],
    [{ employee_ids: '|' }, ''],
    [{ order: '-valid_from' }, '04 03 02 01'],
    [{ order: '-created_at' }, '02 04 01 03'],
    [{ order: 'code|-valid_from' }, '04 03 02 01'],
    [{ q: 'x', archived: 'x', valid_from__lte: ' ' }, '01 02 03 04'],
  ])('with %j', async (parameters, from) => {
    expect(await shown(parameters)).toEqual({ count: from === '' ? 0 : from.split(' ').length, from });
  });

  it('finds rules by id', async () => {
    expect(await shown({ ids: [rules[2], rules[0], newId(), 'x', ''].join('|') })).toEqual({ count: 2, from: '03 04' });
    expect(await shown({ ids: rules[3]?.toUpperCase() ?? '', employee_ids: bernd.id })).toEqual({ count: 0, from: '' });
  });

  it('is paginated', async () => {
    expect(await shown({}, { limit: 2, offset: 1 })).toEqual({ count: 4, from: '02 03' });
    expect(await shown({}, { limit: 2, offset: 4 })).toEqual({ count: 4, from: '' });
  });

  it('rejects pages outside of its bounds', async () => {
    expect(await judgeOutOfBounds((page) => admin.list({}, page))).toEqual(OUT_OF_BOUNDS);
  });

  it('rejects invalid parameters, all together', async () => {
    const date = ['Date has wrong format. Use one of these formats instead: YYYY-MM-DD.'];
    await expect(
      admin.list({
        daterange: '2026-02-01|2026-01-01',
        valid_from__lte: 'x',
        valid_until__gte: '2026-02-30',
        order: 'employee_id',
        modified_since: '2026',
      }),
    ).rejects.toMatchObject({
      code: 'invalid',
      details: {
        daterange: ['The end of the range must not be before its start.'],
        valid_from__lte: date,
        valid_until__gte: date,
        modified_since: ['Datetime has wrong format. Use one of these formats instead: YYYY-MM-DDTHH:MM:SS.'],
        $query: ['"employee_id" is not a valid ordering field.'],
      },
    });
  });
});

describe('open errors of a month', () => {
  it('are those that no rule hides, by day and by employee or for all employees', async () => {
    const own = buildInstitution();
    const [carl, dora] = [buildEmployee({ institution_id: own.id }), buildEmployee({ institution_id: own.id })];
    // Two workdays of ten hours without a break.
    const shift = (employee_id: string, date: string) =>
      buildWorkday({
        institution_id: own.id,
        employee_id,
        date,
        started_at: `${date}T07:00:00`,
        ended_at: `${date}T17:00:00`,
        timespans: [],
      });
    await running.importLines([own, carl, dora, shift(carl.id, '2026-05-04'), shift(dora.id, '2026-05-11')]);
    const asked = running.as(callerOf(own.id));
    const codes = (await asked.review(2026, 5)).map(({ code }) => code);
    expect(codes.filter((code) => code === 'insufficient-break')).toHaveLength(2);
    expect(await asked.openErrors(2026, 5)).toBe(codes.length);
    await asked.create(body({ employee_id: carl.id }));
    await asked.create(body({ valid_from: '2026-05-12' }));
    expect(await asked.openErrors(2026, 5)).toBe(codes.length - 1);
    await asked.create(body({ valid_to: '2026-05-11' }));
    expect(await asked.openErrors(2026, 5)).toBe(codes.length - 2);
    await expect(asked.openErrors(2026, 13)).rejects.toMatchObject({ code: 'invalid' });
  });
});
