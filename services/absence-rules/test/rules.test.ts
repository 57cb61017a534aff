import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { absenceRulesV1, cloudEventSchema } from '@stechuhr/contracts';
import { createEvent } from '@stechuhr/bus';
import { newId, systemClock, uuidV5, type Clock } from '@stechuhr/kernel';
import { connectMongo } from '@stechuhr/mongo';
import { createLogger } from '@stechuhr/service';
import {
  buildDeletion,
  buildDepartment,
  buildEmployee,
  buildInstitution,
  waitFor,
  watchSubjects,
  type SubjectWatch,
} from '@stechuhr/testing';
import type { Rule } from '../src/domain/rule.js';
import { createRule, deleteRule, removeRulesOfEmployee, updateRule } from '../src/operations/manual-rules.js';
import type { Call, CallerRecords, Ports } from '../src/operations/ports.js';
import { ruleModel } from '../src/store/rule-model.js';
import { createRuleStore } from '../src/store/rule-store.js';
import { body, day, setting } from './support/lines.js';
import { callerOf, startAbsenceRules, type CallerRules, type RunningAbsenceRules } from './support/running-absence-rules.js';

const { RuleSource } = absenceRulesV1;

const institution = buildInstitution();
const other = buildInstitution();
const ids = { institution_id: institution.id };
const office = buildDepartment(ids);
const yard = buildDepartment(ids);
const vacation = setting();
const anna = buildEmployee({ ...ids, department_id: office.id, entitlements: [vacation] });
const bernd = buildEmployee({ ...ids, department_id: yard.id });
const stranger = buildEmployee({ institution_id: other.id });

let running: RunningAbsenceRules;
let admin: CallerRules;
let leader: CallerRules;
let foreigner: CallerRules;
let published: SubjectWatch;

const JUNE = (): number => Date.parse('2026-06-15T10:00:00Z');
let now = JUNE;
afterEach(() => void (now = JUNE));

beforeAll(async () => {
  running = await startAbsenceRules({ now: () => now() }, { maxRules: { ofInstitution: 8, ofEmployee: 4 } });
  published = await watchSubjects(running.servers.natsUrl, 'stechuhr.events.*.absence-rules.>');
  await running.importLines([institution, other, office, yard, anna, bernd, stranger]);
  admin = running.as(callerOf(institution.id));
  leader = running.as(callerOf(institution.id, [office.id]));
  foreigner = running.as(callerOf(other.id));
});
afterAll(async () => {
  await published.stop();
  await running.stop();
});

/** Returns the events of a rule that have arrived. */
function eventsOf(ruleId: string): { readonly type: string; readonly data: unknown; readonly institution: string }[] {
  return published.messages
    .map(({ text }) => cloudEventSchema.parse(JSON.parse(text)))
    .filter(({ subject }) => subject === ruleId)
    .map(({ type, data, institutionid }) => ({ type, data, institution: institutionid }));
}

const event = (verb: string, id: string, employeeId: string) => ({
  type: `stechuhr.absence-rules.rule.${verb}.v1`,
  data: { id, employee_id: employeeId },
  institution: institution.id,
});

describe('a manual rule', () => {
  it('is created, read, replaced and deleted, each change with its event', async () => {
    const created = await admin.create(body(anna.id, { amount: 2.5, priority: '01', label: '  Umzug ' }));
    expect(created).toEqual({
      id: expect.any(String),
      employeeId: anna.id,
      label: 'Umzug',
      missingType: 'vacation',
      amountHundredths: 250,
      priority: 1,
      availableFrom: day('2026-01-01'),
      expiresAt: day('2026-12-31'),
      source: RuleSource.RULE_SOURCE_MANUAL,
    });
    expect(await admin.get(created.id)).toEqual(created);
    const moved = await admin.update(created.id, body(bernd.id));
    expect(await admin.get(created.id)).toEqual(moved);
    expect(moved).toMatchObject({ id: created.id, employeeId: bernd.id, label: 'Sonderurlaub', amountHundredths: 100 });
    await admin.delete(created.id);
    await expect(admin.get(created.id)).rejects.toMatchObject({ code: 'not_found' });
    const seen = await waitFor(() => (eventsOf(created.id).length === 3 ? eventsOf(created.id) : undefined));
    expect(seen).toEqual([
      event('created', created.id, anna.id),
      event('updated', created.id, bernd.id),
      event('deleted', created.id, bernd.id),
    ]);
  });

  it('publishes nothing if it is replaced without a change', async () => {
    const { id } = await admin.create(body(anna.id));
    await admin.update(id, body(anna.id, { amount: 1 }));
    await admin.delete(id);
    const seen = await waitFor(() => eventsOf(id).find(({ type }) => type.endsWith('deleted.v1')) && eventsOf(id));
    expect(seen.map(({ type }) => type.split('.').at(-2))).toEqual(['created', 'deleted']);
  });

  it('is not found by another institution', async () => {
    const { id } = await admin.create(body(anna.id));
    await expect(foreigner.get(id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(foreigner.update(id, body(stranger.id))).rejects.toMatchObject({ code: 'not_found' });
    await expect(foreigner.delete(id)).rejects.toMatchObject({ code: 'not_found' });
    expect((await foreigner.list({ ids: id })).count).toBe(0);
    expect((await foreigner.list()).count).toBe(0);
    await admin.delete(id);
  });

  it('is not found by a leader of another department', async () => {
    const { id } = await admin.create(body(bernd.id));
    await expect(leader.get(id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(leader.delete(id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(leader.update(id, {})).rejects.toMatchObject({ code: 'not_found' });
    // It cannot be moved to the leader's department either.
    await expect(leader.update(id, body(anna.id))).rejects.toMatchObject({ code: 'not_found' });
    await expect(leader.update(id, body(bernd.id))).rejects.toMatchObject({ code: 'not_found' });
    await expect(leader.update(newId(), body(anna.id))).rejects.toMatchObject({ code: 'not_found' });
    expect(await admin.get(id)).toMatchObject({ employeeId: bernd.id });
    expect((await leader.list({ sources: 'manual' })).count).toBe(0);
    expect((await leader.list({ ids: id })).count).toBe(0);
    await admin.delete(id);
  });

  it('is deleted with its employee', async () => {
    const leaving = buildEmployee(ids);
    await running.importLines([leaving]);
    const { id } = await admin.create(body(leaving.id));
    await running.importLines([buildDeletion(leaving)]);
    // Hidden at once, and deleted soon after.
    await expect(admin.get(id)).rejects.toMatchObject({ code: 'not_found' });
    expect((await admin.list({ ids: id })).count).toBe(0);
    await waitFor(() => eventsOf(id).some(({ type }) => type.endsWith('rule.deleted.v1')));
    await running.importLines([leaving]);
    await expect(admin.get(id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is deleted with its employee even if the clock of the records service is behind', async () => {
    const leaving = buildEmployee(ids);
    await running.importLines([leaving]);
    now = () => Date.now() + 600_000;
    const { id } = await admin.create(body(leaving.id));
    await running.importLines([buildDeletion(leaving)]);
    await waitFor(() => eventsOf(id).some(({ type }) => type.endsWith('rule.deleted.v1')));
  });
});

const deletedAt = new Date('2026-06-15T10:00:00Z');

/** The store without a service. Events are published only in the database of the service. */
async function openStore(database: string, clock: Clock) {
  const { servers } = running;
  const mongo = await connectMongo({
    url: servers.mongodbUrl,
    database: servers.database(database),
    logger: createLogger('test', 'fatal'),
  });
  const ruleEvent: Ports['ruleEvent'] = (type, { institutionId }, { id, employeeId }) =>
    createEvent({ type, institutionId, data: { id, employee_id: employeeId }, clock });
  return { store: createRuleStore(ruleModel(mongo.connection), clock), ruleEvent, close: () => mongo.close() };
}

function ruleOf(employeeId: string): Rule {
  const days = { availableFrom: day('2026-01-01'), expiresAt: day('2026-12-31') };
  return { id: newId(), employeeId, label: 'Umzug', missingType: vacation.id, amount: 1, priority: 1, ...days, source: 'manual' };
}

describe('a rule that is replaced', () => {
  it('publishes its event after those that another replica has stored with it', async () => {
    const { id } = await admin.create(body(anna.id));
    await waitFor(() => eventsOf(id).length === 1);
    const { store, ruleEvent, close } = await openStore('absence_rules', systemClock);
    const tenant = { institutionId: institution.id };
    const theirs = { ...ruleOf(anna.id), id };
    await store.replace(tenant, { rule: theirs, ofEmployee: anna.id }, ruleEvent('absence-rules.rule.updated', tenant, theirs));
    await close();
    await admin.update(id, body(bernd.id));
    await waitFor(() => eventsOf(id).length === 3);
    expect(eventsOf(id)).toEqual([event('created', id, anna.id), event('updated', id, anna.id), event('updated', id, bernd.id)]);
    await admin.delete(id);
  });

  it('reports whether its outbox contained events, which decides whether its event is published without reading it again', async () => {
    const { store, ruleEvent, close } = await openStore('rules_alone', systemClock);
    const tenant = { institutionId: institution.id };
    const rule = ruleOf(anna.id);
    const mongo = await connectMongo({
      url: running.servers.mongodbUrl,
      database: running.servers.database('rules_alone'),
      logger: createLogger('test', 'fatal'),
    });
    const takeOut = () =>
      mongo.connection.collection<{ _id: string }>('absence_rules').updateOne({ _id: rule.id }, { $set: { outbox: [] } });
    await store.insert(tenant, rule, ruleEvent('absence-rules.rule.created', tenant, rule));
    const replace = () =>
      store.replace(tenant, { rule, ofEmployee: rule.employeeId }, ruleEvent('absence-rules.rule.updated', tenant, rule));
    expect(await replace()).toEqual({ eventsWaited: true });
    await takeOut();
    expect([await replace(), await replace()]).toEqual([{ eventsWaited: false }, { eventsWaited: true }]);
    await Promise.all([close(), mongo.close()]);
  });
});

// The state after a process checked the employee and then was killed after its write, or was slower than the clean-up.
describe('a rule that is written after its employee was deleted and cleaned up', () => {
  it.each(['created', 'updated'] as const)('is deleted after it was %s', async (verb) => {
    const leaving = buildEmployee(ids);
    await running.importLines([leaving]);
    const [early, moved] = [await admin.create(body(leaving.id)), await admin.create(body(anna.id))];
    await running.importLines([buildDeletion(leaving)]);
    await waitFor(() => eventsOf(early.id).some(({ type }) => type.endsWith('rule.deleted.v1')));
    const { store, ruleEvent, close } = await openStore('absence_rules', systemClock);
    const tenant = { institutionId: institution.id };
    const late = { ...ruleOf(leaving.id), ...(verb === 'updated' && { id: moved.id }) };
    const event = ruleEvent(`absence-rules.rule.${verb}`, tenant, late);
    await (verb === 'created' ? store.insert(tenant, late, event) : store.replace(tenant, { rule: late, ofEmployee: anna.id }, event));
    await waitFor(() => eventsOf(late.id).some(({ type }) => type.endsWith('rule.deleted.v1')));
    expect(await store.find(tenant, [late.id])).toEqual([]);
    await close();
    if (verb === 'created') await admin.delete(moved.id);
  });
});

describe('a rule that is changed while it is deleted with its employee', () => {
  it.each<[string, boolean, Partial<Rule>, 'stays' | 'goes']>([
    ['for the employee who came back', true, {}, 'stays'],
    ['for somebody else', false, { employeeId: bernd.id }, 'stays'],
    ['before the employee was deleted', false, {}, 'goes'],
  ])('%s', async (_, isBack, change, fate) => {
    let time = deletedAt.getTime() - 1_000;
    const { store, ruleEvent, close } = await openStore(newId(), { now: () => time });
    try {
      const tenant = { institutionId: institution.id };
      const before = ruleOf(anna.id);
      const after: Rule = { ...before, label: 'Hochzeit', ...change };
      await store.insert(tenant, before, ruleEvent('absence-rules.rule.created', tenant, before));
      const writtenFor: typeof store.writtenFor = async (...asked) => {
        const found = await store.writtenFor(...asked);
        time = deletedAt.getTime() + 1_000;
        await store.replace(tenant, { rule: after, ofEmployee: before.employeeId }, ruleEvent('absence-rules.rule.updated', tenant, after));
        // Only once; afterwards the rule does not change.
        rules.writtenFor = store.writtenFor;
        return found;
      };
      const rules = { ...store, writtenFor };
      const records: Pick<CallerRecords, 'readStaff'> = {
        async *readStaff() {
          if (isBack) yield [anna] as never;
        },
      };
      await removeRulesOfEmployee({ rules, ruleEvent, records, notifyOutbox: () => undefined }, tenant, { employeeId: anna.id, deletedAt });
      expect(await store.find(tenant, [before.id])).toEqual(fate === 'stays' ? [after] : []);
    } finally {
      await close();
    }
  });
});

describe('a rule that is moved to another department while its leader writes it', () => {
  it.each<[string, (call: Call, id: string) => Promise<unknown>]>([
    ['updated', (call, id) => updateRule(call, { id, json: JSON.stringify(body(anna.id, { label: 'Hochzeit' })) })],
    ['deleted', (call, id) => deleteRule(call, id)],
  ])('is not %s', async (_, write) => {
    const { store, ruleEvent, close } = await openStore(newId(), systemClock);
    try {
      const caller = { institutionId: institution.id };
      const before = ruleOf(anna.id);
      const moved: Rule = { ...before, employeeId: bernd.id };
      await store.insert(caller, before, ruleEvent('absence-rules.rule.created', caller, before));
      const find: typeof store.find = async (...asked) => {
        const found = await store.find(...asked);
        await store.replace(caller, { rule: moved, ofEmployee: anna.id }, ruleEvent('absence-rules.rule.updated', caller, moved));
        return found;
      };
      const readStaff: CallerRecords['readStaff'] = async function* (named) {
        if (named?.includes(anna.id) === true) yield [anna] as never;
      };
      const records = { readStaff, readInstitution: () => Promise.resolve({ absenceTypes: [{ value: 'vacation' }] }) };
      const bounds = { maxOfEmployee: 4, clock: systemClock };
      const call = { ...bounds, rules: { ...store, find }, ruleEvent, notifyOutbox: () => undefined, caller, records } as unknown as Call;
      await expect(write(call, before.id)).rejects.toMatchObject({ code: 'not_found' });
      expect(await store.find(caller, [before.id])).toEqual([moved]);
    } finally {
      await close();
    }
  });
});

describe('a rule that is one too many because another one was written at the same moment', () => {
  it.each<[string, string, (call: Call, id: string) => Promise<unknown>]>([
    ['is not created', 'deleted', (call) => createRule(call, JSON.stringify(body(anna.id)))],
    ['is not moved', 'updated', (call, id) => updateRule(call, { id, json: JSON.stringify(body(anna.id)) })],
  ])('%s', async (_, undone, write) => {
    const { store, ruleEvent, close } = await openStore(newId(), systemClock);
    try {
      const caller = { institutionId: institution.id };
      const insert = (rule: Rule) => store.insert(caller, rule, ruleEvent('absence-rules.rule.created', caller, rule));
      const [first, second, ofBernd] = [ruleOf(anna.id), ruleOf(anna.id), ruleOf(bernd.id)];
      for (const rule of [first, ofBernd]) await insert(rule);
      const others = [second];
      const count: typeof store.count = async (...asked) => {
        const counted = await store.count(...asked);
        for (const other of others.splice(0)) await insert(other);
        return counted;
      };
      const readStaff: CallerRecords['readStaff'] = async function* () {
        yield [anna, bernd] as never;
      };
      const records = { readStaff, readInstitution: () => Promise.resolve({ absenceTypes: [{ value: 'vacation' }] }) };
      const bounds = { maxOfEmployee: 2, limit: { max: 8, hasRoom: () => Promise.resolve(true) }, clock: systemClock };
      const events: string[] = [];
      const noted: typeof ruleEvent = (type, ...about) => {
        events.push(type);
        return ruleEvent(type, ...about);
      };
      const ports = { rules: { ...store, count }, ruleEvent: noted, notifyOutbox: () => undefined };
      const call = { ...bounds, ...ports, caller, records } as unknown as Call;
      const details = { employee_id: ['The employee has 2 manual rules. Delete one first.'] };
      await expect(write(call, ofBernd.id)).rejects.toMatchObject({ code: 'invalid', details });
      const stored = await store.ofEmployees(caller, [anna.id, bernd.id]);
      expect(new Set(stored)).toEqual(new Set([first, second, ofBernd]));
      expect(events.at(-1)).toBe(`absence-rules.rule.${undone}`);
    } finally {
      await close();
    }
  });
});

describe('a rule that could not be moved', () => {
  it('keeps what another request has changed before it is moved back', async () => {
    const { store, ruleEvent, close } = await openStore(newId(), systemClock);
    try {
      const caller = { institutionId: institution.id };
      const insert = (rule: Rule) => store.insert(caller, rule, ruleEvent('absence-rules.rule.created', caller, rule));
      const [first, ofBernd] = [ruleOf(anna.id), ruleOf(bernd.id)];
      for (const rule of [first, ofBernd]) await insert(rule);
      const [move, change] = [body(anna.id), body(anna.id, { label: 'Changed meanwhile' })].map((json) => JSON.stringify(json));
      // The first count finds room, the second one follows the write.
      const meanwhile = [
        () => insert(ruleOf(anna.id)),
        () => updateRule({ ...call, rules: store }, { id: ofBernd.id, json: String(change) }),
      ];
      const count: typeof store.count = async (...asked) => {
        const counted = await store.count(...asked);
        await meanwhile.shift()?.();
        return counted;
      };
      const readStaff: CallerRecords['readStaff'] = async function* () {
        yield [anna, bernd] as never;
      };
      const records = { readStaff, readInstitution: () => Promise.resolve({ absenceTypes: [{ value: 'vacation' }] }) };
      const ports = { rules: { ...store, count }, ruleEvent, notifyOutbox: () => undefined, clock: systemClock };
      const call = { ...ports, maxOfEmployee: 2, caller, records } as unknown as Call;
      await expect(updateRule(call, { id: ofBernd.id, json: String(move) })).rejects.toMatchObject({ code: 'invalid' });
      expect(await store.find(caller, [ofBernd.id])).toMatchObject([{ employeeId: anna.id, label: 'Changed meanwhile' }]);
    } finally {
      await close();
    }
  });
});

describe('a rule that is one too many, and is changed before it is taken back', () => {
  it.each<[string, object]>([
    ['stays as it was changed', body(anna.id, { label: 'Changed meanwhile' })],
    ['stays with the employee to whom it was moved', body(bernd.id)],
  ])('%s, and counts as created', async (_, change) => {
    const { store, ruleEvent, close } = await openStore(newId(), systemClock);
    try {
      const caller = { institutionId: institution.id };
      const insert = (rule: Rule) => store.insert(caller, rule, ruleEvent('absence-rules.rule.created', caller, rule));
      let changed: Rule | undefined;
      const update = async () => {
        const [found] = (await store.ofEmployees(caller, [anna.id])).filter(({ id }) => id !== first.id);
        changed = await updateRule({ ...call, rules: store, maxOfEmployee: 4 }, { id: found?.id ?? '', json: JSON.stringify(change) });
      };
      const first = ruleOf(anna.id);
      // The first count finds room, the second one follows the write.
      const meanwhile = [() => insert(first), update];
      const count: typeof store.count = async (...asked) => {
        const counted = await store.count(...asked);
        await meanwhile.shift()?.();
        return counted;
      };
      const readStaff: CallerRecords['readStaff'] = async function* () {
        yield [anna, bernd] as never;
      };
      const records = { readStaff, readInstitution: () => Promise.resolve({ absenceTypes: [{ value: 'vacation' }] }) };
      const ports = { rules: { ...store, count }, ruleEvent, notifyOutbox: () => undefined, clock: systemClock };
      const bounds = { maxOfEmployee: 1, limit: { max: 8, hasRoom: () => Promise.resolve(true) } };
      const call = { ...ports, ...bounds, caller, records } as unknown as Call;
      const { id } = await createRule(call, JSON.stringify(body(anna.id)));
      expect(await store.find(caller, [id])).toEqual([{ ...changed, id }]);
    } finally {
      await close();
    }
  });
});

describe('the number of manual rules', () => {
  const full = buildInstitution();
  const staff = [1, 2, 3].map(() => buildEmployee({ institution_id: full.id }));
  const [eva, emil, enno] = staff.map(({ id }) => id) as [string, string, string];

  it('is limited for an employee and for the institution', async () => {
    await running.importLines([full, ...staff]);
    const caller = running.as(callerOf(full.id));
    for (const id of [eva, eva, eva, eva, emil, emil, emil]) await caller.create(body(id));
    const ofEva = { employee_id: ['The employee has 4 manual rules. Delete one first.'] };
    await expect(caller.create(body(eva))).rejects.toMatchObject({ code: 'invalid', details: ofEva });
    const { id } = await caller.create(body(enno));
    await expect(caller.update(id, body(eva))).rejects.toMatchObject({ code: 'invalid', details: ofEva });
    await expect(caller.create(body(enno))).rejects.toMatchObject({
      details: { non_field_errors: ['The institution has 8 manual rules. Delete one first.'] },
    });
    // Existing rules can still be changed.
    await caller.update(id, body(enno, { label: 'Hochzeit' }));
    await caller.delete(id);
    await caller.create(body(enno));
  });

  it('holds for an employee when many are created at the same moment', async () => {
    const busy = buildInstitution();
    const employee = buildEmployee({ institution_id: busy.id });
    await running.importLines([busy, employee]);
    const caller = running.as(callerOf(busy.id));
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => caller.create(body(employee.id))));
    const created = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.id] : []));
    const { rules } = await caller.list({ sources: 'manual' });
    expect(rules.length).toBeLessThanOrEqual(4);
    expect(new Set(rules.map(({ id }) => id))).toEqual(new Set(created));
  });
});

describe('the id of a setting-generated rule', () => {
  it('is stable and not addressable', async () => {
    const { rules } = await admin.list({ sources: 'setting', daterange: '2026-01-01|' });
    const id = uuidV5(institution.id, `${anna.id}/${vacation.id}/2026`);
    expect(rules.map((rule) => rule.id)).toEqual([id]);
    await expect(admin.get(id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(admin.update(id, body(anna.id))).rejects.toMatchObject({ code: 'not_found' });
    await expect(admin.delete(id)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('a body', () => {
  const date = 'Date has wrong format. Use one of these formats instead: YYYY-MM-DD.';
  const noEmployee = (id: string) => ({ employee_id: [`Invalid pk "${id}" - object does not exist.`] });
  const missing = newId();

  it.each<[string, object, object]>([
    [
      'that is empty',
      {},
      Object.fromEntries(
        ['employee_id', 'label', 'missing_type', 'amount', 'priority', 'available_from', 'expires_at'].map((field) => [
          field,
          ['This field is required.'],
        ]),
      ),
    ],
    ['with an unknown employee', body(missing), noEmployee(missing)],
    ['with an employee of another institution', body(stranger.id), noEmployee(stranger.id)],
    [
      'with an absence type that is not configured',
      body(anna.id, { missing_type: 'sabbatical' }),
      { missing_type: ['"sabbatical" is not a valid choice.'] },
    ],
    ['with a negative amount', body(anna.id, { amount: '-1' }), { amount: ['Ensure this value is greater than or equal to 0.'] }],
    ['with too many decimals', body(anna.id, { amount: '1.005' }), { amount: ['Ensure that there are no more than 2 decimal places.'] }],
    ['with too large an amount', body(anna.id, { amount: 100_000 }), { amount: ['Ensure this value is less than or equal to 99999.99.'] }],
    ['with a negative priority', body(anna.id, { priority: -1 }), { priority: ['Ensure this value is greater than or equal to 0.'] }],
    ['with a broken date', body(anna.id, { expires_at: '2026-02-29' }), { expires_at: [date] }],
    [
      'with dates in the wrong order',
      body(anna.id, { available_from: '2027-01-01' }),
      { non_field_errors: ['available_from must be on or before expires_at.'] },
    ],
    [
      'with several problems, all of them reported',
      body(missing, { label: ' ', missing_type: 'x', available_from: '2027-01-01' }),
      {
        ...noEmployee(missing),
        label: ['This field may not be blank.'],
        missing_type: ['"x" is not a valid choice.'],
        non_field_errors: ['available_from must be on or before expires_at.'],
      },
    ],
  ])('%s is rejected', async (_, wrong, details) => {
    await expect(admin.create(wrong)).rejects.toMatchObject({ code: 'invalid', details });
    const { id } = await admin.create(body(anna.id));
    await expect(admin.update(id, wrong)).rejects.toMatchObject({ code: 'invalid', details });
    await admin.delete(id);
  });

  it('is rejected for an employee whom the leader may not see', async () => {
    await expect(leader.create(body(bernd.id))).rejects.toMatchObject({ code: 'invalid', details: noEmployee(bernd.id) });
    const { id } = await leader.create(body(anna.id));
    await expect(leader.update(id, body(bernd.id))).rejects.toMatchObject({ code: 'invalid', details: noEmployee(bernd.id) });
    await leader.delete(id);
  });
});
