import { setImmediate as nextTurn } from 'node:timers/promises';
import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { webhooksV1 } from '@stechuhr/contracts';
import { newId, systemClock } from '@stechuhr/kernel';
import { connectMongo, type MongoDb } from '@stechuhr/mongo';
import { createLogger } from '@stechuhr/service';
import { startServiceProcess, waitFor, type ReceivedRequest } from '@stechuhr/testing';
import { PAUSES_MS } from '../src/domain/backoff.js';
import { overdueWebhooks } from '../src/operations/inspections.js';
import { deliveryModel } from '../src/store/delivery-model.js';
import { webhookModel } from '../src/store/webhook-model.js';
import { createWebhookStore } from '../src/store/webhook-store.js';
import { callerOf, clientOf, startWebhooks, type CallerWebhooks, type RunningWebhooks } from './support/running-webhooks.js';

const MAIN = join(import.meta.dirname, '../dist/main.js');
const DAY_MS = 86_400_000;
const LEASE_MS = 3_000;
const { DeliveryState: State, DisabledReason: Reason } = webhooksV1;

let running: RunningWebhooks;

let mongo: MongoDb;

beforeAll(async () => {
  running = await startWebhooks({}, { timeoutMs: 6_000 });
  const { servers } = running;
  mongo = await connectMongo({ url: servers.mongodbUrl, database: servers.database('webhooks'), logger: createLogger('test', 'fatal') });
});
afterAll(async () => {
  await mongo.close();
  await running.stop();
});

const cleanups: (() => Promise<void>)[] = [];
/** Deletes the webhooks, because deliveries that failed in one test would be retried in the next ones, whose clock runs ahead. */
afterEach(() => Promise.allSettled(cleanups.splice(0).map((cleanUp) => cleanUp())));

/** Creates a webhook of a new institution, with its own path. */
async function createWebhook(fields: object = {}) {
  const institutionId = newId();
  const path = `/${newId()}`;
  const admin = running.as(callerOf(institutionId));
  const { webhook, secret } = await admin.create({ url: running.receiver.origin + path, ...fields });
  cleanups.push(() => admin.delete(webhook.id));
  const publish = (type: 'records.project.changed' | 'records.project.deleted' = 'records.project.changed') => {
    // Lists are in the order of the events.
    running.advance(1);
    return running.publish(institutionId, type, { id: newId() });
  };
  return { institutionId, path, admin, id: webhook.id, secret, publish };
}

async function arrived(path: string, count = 1): Promise<readonly ReceivedRequest[]> {
  await waitFor(() => Promise.resolve(running.receiver.at(path).length >= count));
  return running.receiver.at(path);
}

function hasState(admin: CallerWebhooks, id: string, state: webhooksV1.DeliveryState, attempts = 1): Promise<unknown> {
  return waitFor(async () => (await admin.deliveries(id)).some((one) => one.state === state && one.attempts >= attempts));
}

type Created = Awaited<ReturnType<typeof createWebhook>>;

/** Waits until the turn of a failed attempt has ended, which begins the pause. */
async function isPaused(id: string): Promise<void> {
  const stored = mongo.connection.collection<{ readonly _id: string; readonly lease_id: string | null }>('webhooks');
  await waitFor(async () => (await stored.findOne({ _id: id }))?.lease_id === null);
}

/** Waits for so many failed attempts, and advances the clock by the time that follows each but the last, which ends the pause of the webhook. */
async function fail(
  { admin, id }: Pick<Created, 'admin' | 'id'>,
  attempts: number,
  pauseAfter: (attempt: number) => number,
): Promise<void> {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    await waitFor(async () => (await admin.deliveries(id)).some((one) => one.attempts === attempt));
    await isPaused(id);
    if (attempt < attempts) running.advance(pauseAfter(attempt));
  }
}

/** Calculates the signature as a receiver does to verify it. */
function signature({ headers, body }: ReceivedRequest, secret: string): string {
  const content = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
  return `v1,${createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
    .update(content)
    .digest('base64')}`;
}

/** Lets a webhook fail until it is paused for six minutes: a tenth of an hour. */
async function failForAnHour({ path, publish, ...failing }: Pick<Created, 'path' | 'publish' | 'admin' | 'id'>): Promise<void> {
  running.receiver.answer(path, 500);
  await publish();
  await fail(failing, 2, () => 3_600_000);
}

describe('an event', () => {
  it('is delivered although the clock of this service was ahead when the webhook was created', async () => {
    running.advance(600_000);
    // Its own event would arrive, too.
    const { institutionId, path } = await createWebhook({ event_types: ['records.project.changed'] });
    await running.publish(institutionId, 'records.project.changed', { id: newId() }, systemClock);
    expect(await arrived(path)).toHaveLength(1);
  });

  it('arrives signed and once, even if the bus delivers it again', async () => {
    const { path, admin, id, secret, institutionId, publish } = await createWebhook({ event_types: ['records.project.changed'] });
    await publish('records.project.deleted');
    const event = await publish();
    const [request] = await arrived(path);
    expect(request).toMatchObject({
      method: 'POST',
      headers: { 'content-type': 'application/json', 'webhook-id': event.id, 'user-agent': 'Stechuhr-Webhooks' },
    });
    const { time: timestamp, data } = event;
    expect(JSON.parse(request?.body ?? '')).toEqual({ type: 'records.project.changed', timestamp, institution_id: institutionId, data });
    expect(request?.headers['webhook-signature']).toBe(signature(request as ReceivedRequest, secret));
    await hasState(admin, id, State.DELIVERY_STATE_DELIVERED);

    await running.publishAgain(event);
    const last = await publish();
    expect((await arrived(path, 2)).map(({ headers }) => headers['webhook-id'])).toEqual([event.id, last.id]);
    await waitFor(async () => (await admin.deliveries(id, { states: 'delivered' })).length === 2);
    expect(await admin.deliveries(id)).toMatchObject([
      { id: last.id, eventType: 'records.project.changed', state: State.DELIVERY_STATE_DELIVERED, attempts: 1, lastResponseStatus: 204 },
      { id: event.id },
    ]);
  });

  it('is signed with both secrets after a rotation', async () => {
    const { path, admin, id, secret, publish } = await createWebhook();
    const second = await admin.rotate(id);
    await publish();
    const requests = await arrived(path);
    const request = requests.find(({ body }) => body.includes('records.project.changed')) ?? (await arrived(path, 2)).at(-1);
    if (request === undefined) throw new Error('Nothing arrived.');
    expect(request.headers['webhook-signature']).toBe(`${signature(request, second)} ${signature(request, secret)}`);
  });

  it('is signed with all secrets of the last day, for example after a repeated rotation whose first response was lost', async () => {
    const { path, admin, id, secret, publish } = await createWebhook({ event_types: ['records.project.changed'] });
    const [second, third] = [await admin.rotate(id), await admin.rotate(id)];
    await publish();
    const [request] = await arrived(path);
    if (request === undefined) throw new Error('Nothing arrived.');
    const signatures = [third, second, secret].map((one) => signature(request, one));
    expect(request.headers['webhook-signature']).toBe(signatures.join(' '));
  });

  it('is sent again after an error and then delivered; redirects are not followed', async () => {
    const { path, admin, id, publish } = await createWebhook({ event_types: ['records.project.changed'] });
    const redirect = `${path}/elsewhere`;
    running.receiver.answer(path, 500, (response) => response.writeHead(302, { location: running.receiver.origin + redirect }).end(), 204);
    await publish();
    await hasState(admin, id, State.DELIVERY_STATE_PENDING);
    expect(await admin.deliveries(id)).toMatchObject([{ attempts: 1, lastResponseStatus: 500, lastProblem: 'status' }]);
    await isPaused(id);
    expect((await admin.get(id)).failingSince).toBeDefined();
    running.advance(10_000);
    await hasState(admin, id, State.DELIVERY_STATE_PENDING, 2);
    expect(await admin.deliveries(id)).toMatchObject([{ lastResponseStatus: 302, lastProblem: 'redirect' }]);
    await isPaused(id);
    running.advance(2 * 60_000);
    await hasState(admin, id, State.DELIVERY_STATE_DELIVERED, 3);
    expect(running.receiver.at(redirect)).toEqual([]);
    await waitFor(async () => (await admin.get(id)).failingSince === undefined);
  });

  it('dies after ten attempts in about a day, and can be replayed', async () => {
    const { path, admin, id, publish } = await createWebhook({ event_types: ['records.project.changed'] });
    running.receiver.answer(path, 503);
    const event = await publish();
    await fail({ admin, id }, PAUSES_MS.length + 1, (attempt) => 1.2 * (PAUSES_MS[attempt - 1] ?? 0));
    await hasState(admin, id, State.DELIVERY_STATE_DEAD, PAUSES_MS.length + 1);
    running.receiver.answer(path, 200);
    expect(await admin.replay(id, event.id)).toMatchObject({ state: State.DELIVERY_STATE_PENDING, attempts: 0 });
    await hasState(admin, id, State.DELIVERY_STATE_DELIVERED);
    expect(await admin.replaySince(id, { since: '2026-01-01T00:00:00' })).toEqual({ replayed: 0 });
    const before = running.receiver.at(path).length;
    expect(await admin.replaySince(id, { since: '2026-01-01T00:00:00', states: ['delivered'] })).toEqual({ replayed: 1 });
    await arrived(path, before + 1);
    await expect(admin.replaySince(id, { since: 'yesterday' })).rejects.toMatchObject({ details: { since: [expect.any(String)] } });
  });

  it('that gets no response in time, or is sent to an invalid certificate or unknown name, fails with the reason', async () => {
    const slow = await createWebhook();
    running.receiver.answer(slow.path, () => undefined);
    const unknown = await createWebhook({ url: 'https://name.invalid/' });
    const closed = await createWebhook({ url: 'https://localhost:1024/' });
    await Promise.all([slow, unknown, closed].map(({ publish }) => publish()));
    const problems = async ({ admin, id }: typeof slow) => {
      await hasState(admin, id, State.DELIVERY_STATE_PENDING);
      return (await admin.deliveries(id)).flatMap(({ lastProblem }) => lastProblem || [])[0];
    };
    expect(await Promise.all([slow, unknown, closed].map(problems))).toEqual(['timeout', 'unresolvable', 'connection']);
  });

  it('is not delayed by events of an institution whose target does not respond', async () => {
    const slow = await createWebhook();
    running.receiver.answer(slow.path, () => undefined);
    await Promise.all(Array.from({ length: 50 }, () => slow.publish()));
    const quick = await createWebhook();
    await quick.publish();
    await arrived(quick.path);
    const states = await slow.admin.deliveries(slow.id);
    expect(states.filter(({ attempts }) => attempts === 0).length).toBeGreaterThan(0);
  });
});

describe('a webhook', () => {
  it('can replay 10,000 events per call, oldest first, without gaps or duplicates', async () => {
    const { institutionId, path, admin, id } = await createWebhook({ event_types: ['records.project.changed'] });
    running.receiver.answer(path, () => undefined);
    const events = Array.from({ length: 10_003 }, () => newId()).sort();
    // Groups of three have the same time of creation, so that the order within a group depends on the id.
    await insertDead({ institutionId, webhookId: id }, events);
    const wanted = { since: '2026-01-01T00:00:00' };
    const first = await admin.replaySince(id, wanted);
    expect(first).toEqual({ replayed: 10_000, next: events[9_999] });
    const second = await admin.replaySince(id, { ...wanted, after: first.next });
    expect(second).toEqual({ replayed: 3, next: undefined });
    // A repeated call does not send events again that are still pending.
    expect(await admin.replaySince(id, wanted)).toEqual({ replayed: 0, next: undefined });
    const wrong = [
      [{ ...wanted, after: newId() }, ['after']],
      [{ since: 'yesterday', states: ['x'], after: newId() }, ['states', 'since', 'after']],
    ] as const;
    for (const [body, fields] of wrong) {
      const details = Object.fromEntries(fields.map((field) => [field, [expect.any(String)]]));
      await expect(admin.replaySince(id, body)).rejects.toMatchObject({ details });
    }
  });

  it('can replay the events since the second of two equal local times', async () => {
    const { institutionId, path, admin, id } = await createWebhook({ event_types: ['records.project.changed'] });
    running.receiver.answer(path, () => undefined);
    // On 30 October 2050, 02:30 is 00:30 and 01:30 in UTC. Deliveries of the past may be removed meanwhile.
    for (const time of ['00:30', '01:30']) {
      await insertDead({ institutionId, webhookId: id }, [newId()], { created_at: new Date(`2050-10-30T${time}:00Z`) });
    }
    const body = { since: '2050-10-30T02:00:00' };
    const second = Date.parse('2050-10-30T01:00:00Z') / 1000;
    expect(await admin.replaySince(id, body, second)).toEqual({ replayed: 1 });
    expect(await admin.replaySince(id, body)).toEqual({ replayed: 1 });
    await expect(admin.replaySince(id, body, -1)).rejects.toMatchObject({ details: { since: [expect.any(String)] } });
  });

  it('that answers 410 is disabled with an event, and its events can be replayed once it is enabled', async () => {
    const { path, admin, id, publish } = await createWebhook({ event_types: ['records.project.changed'] });
    running.receiver.answer(path, 410);
    await publish();
    await waitFor(async () => !(await admin.get(id)).enabled);
    expect(await admin.get(id)).toMatchObject({ disabledReason: Reason.DISABLED_REASON_GONE, disabledAt: expect.any(Number) });
    const missed = await publish();
    await waitFor(async () => (await admin.deliveries(id)).length === 2);
    expect((await admin.deliveries(id, { states: 'dead' })).map(({ attempts }) => attempts)).toEqual([0, 1]);
    await expect(admin.replay(id, missed.id)).rejects.toMatchObject({ code: 'invalid' });
    await expect(admin.replaySince(id, {})).rejects.toMatchObject({ details: { since: ['This field is required.'] } });

    running.receiver.answer(path, 200);
    expect(await admin.update(id, { enabled: true })).toMatchObject({ enabled: true, failingSince: undefined });
    expect(await admin.replaySince(id, { since: '2026-01-01T00:00:00' })).toEqual({ replayed: 2 });
    await waitFor(async () => (await admin.deliveries(id, { states: 'delivered' })).length === 2);
  });

  it('that has failed for five days is disabled with the next event that dies', async () => {
    const { path, admin, id, publish } = await createWebhook({ event_types: ['records.project.changed'] });
    running.receiver.answer(path, 500);
    await publish();
    await fail({ admin, id }, 10, () => DAY_MS);
    await waitFor(async () => !(await admin.get(id)).enabled);
    expect(await admin.get(id)).toMatchObject({ disabledReason: Reason.DISABLED_REASON_FAILING });
  });

  it('that has failed for five days is disabled even if it has too many events for any of them to die', async () => {
    const { institutionId, path, admin, id, publish } = await createWebhook({ event_types: ['records.project.changed'] });
    running.receiver.answer(path, 500);
    await publish();
    await fail({ admin, id }, 1, () => 0);
    const waiting = { state: 'pending', attempts: 0, due_at: new Date(running.now()) };
    await insertDead(
      { institutionId, webhookId: id },
      Array.from({ length: 100 }, () => newId()),
      waiting,
    );
    running.advance(6 * DAY_MS);
    await publish();
    await waitFor(async () => !(await admin.get(id)).enabled);
    expect(await admin.get(id)).toMatchObject({ disabledReason: Reason.DISABLED_REASON_FAILING });
    // Those that were sent at last wait for their next attempt.
    await isPaused(id);
    running.advance(10_000);
    // They can be replayed.
    await waitFor(async () => (await admin.deliveries(id, { states: 'pending' })).length === 0);
    expect(running.receiver.at(path).length).toBeLessThan(100);
  });

  it('that has failed for five days stays enabled if another event is delivered while one dies', async () => {
    const { path, admin, id, publish } = await createWebhook({ event_types: ['records.project.changed'] });
    running.receiver.answer(path, 500);
    const { id: first } = await publish();
    await fail({ admin, id }, 9, () => DAY_MS);
    // The pause lets both events become due before either is sent, so that the same batch contains them.
    const { id: second } = await publish();
    await waitFor(async () => (await admin.deliveries(id)).some((one) => one.id === second));
    running.receiver.answer(path, (response) => {
      response.writeHead(response.req.headers['webhook-id'] === second ? 204 : 500).end();
    });
    running.advance(DAY_MS);
    await hasState(admin, id, State.DELIVERY_STATE_DEAD, 10);
    await hasState(admin, id, State.DELIVERY_STATE_DELIVERED);
    expect(await admin.deliveries(id)).toMatchObject([
      { id: second, state: State.DELIVERY_STATE_DELIVERED },
      { id: first, state: State.DELIVERY_STATE_DEAD },
    ]);
    await waitFor(async () => (await admin.get(id)).failingSince === undefined);
    expect(await admin.get(id)).toMatchObject({ enabled: true });
  });

  it('whose requests all fail is paused, whatever becomes due meanwhile', async () => {
    const { path, admin, id, publish } = await createWebhook({ event_types: ['records.project.changed'] });
    await failForAnHour({ path, admin, id, publish });
    const { id: second } = await publish();
    await waitFor(async () => (await admin.deliveries(id)).some((one) => one.id === second));
    // When an event that was published later has arrived elsewhere, the sender has looked for due webhooks again.
    const other = await createWebhook();
    await other.publish();
    await arrived(other.path);
    expect((await admin.deliveries(id)).find((one) => one.id === second)).toMatchObject({ attempts: 0 });
    running.advance(10 * 60_000);
    await waitFor(async () => (await admin.deliveries(id)).some((one) => one.id === second && one.attempts === 1));
  });

  it.each<[string, (admin: CallerWebhooks, id: string, eventId: string) => Promise<unknown>]>([
    ['tests', (admin, id) => admin.test(id)],
    ['changes', (admin, id) => admin.update(id, { description: 'repaired' })],
    ['replays an event of', (admin, id, eventId) => admin.replay(id, eventId)],
    ['replays all events of', (admin, id) => admin.replaySince(id, { since: '2026-01-01T00:00:00', states: ['pending'] })],
  ])('is no longer paused when an administrator %s it', async (_, act) => {
    const { path, admin, id, publish } = await createWebhook({ event_types: ['records.project.changed'] });
    await failForAnHour({ path, admin, id, publish });
    const { id: second } = await publish();
    await waitFor(async () => (await admin.deliveries(id)).some((one) => one.id === second));
    running.receiver.answer(path, 204);
    await act(admin, id, second);
    await waitFor(async () => (await admin.deliveries(id, { states: 'delivered' })).some((one) => one.id === second));
  });

  it('gets test events regardless of its event types, even while it is disabled', async () => {
    const { path, admin, id } = await createWebhook({ event_types: ['records.project.deleted'], enabled: false });
    const delivery = await admin.test(id);
    expect(delivery).toMatchObject({ eventType: 'webhooks.webhook.tested', attempts: 0 });
    const [request] = await arrived(path);
    expect(JSON.parse(request?.body ?? '')).toMatchObject({ type: 'webhooks.webhook.tested', data: { id } });
    await hasState(admin, id, State.DELIVERY_STATE_DELIVERED);
    expect(await admin.deliveries(id)).toMatchObject([{ id: delivery.id }]);
  });

  it('whose name has a private address, and is no longer allowed, gets no requests', async () => {
    const own = { WEBHOOK_ALLOWED_HOSTS: 'localhost', MONGODB_DATABASE: running.servers.database('strict') };
    const caller = callerOf(newId());
    const before = await startWebhooks({ ...own, MONGODB_URL: running.servers.mongodbUrl });
    const url = `${running.receiver.origin}/private`;
    const { webhook } = await before.as(caller).create({ url, event_types: ['webhooks.webhook.tested'] });
    await before.stop();
    const strict = await startWebhooks({ ...own, MONGODB_URL: running.servers.mongodbUrl, WEBHOOK_ALLOWED_HOSTS: '' });
    try {
      const admin = strict.as(caller);
      await admin.test(webhook.id);
      await hasState(admin, webhook.id, State.DELIVERY_STATE_PENDING);
      expect(await admin.deliveries(webhook.id)).toMatchObject([{ lastProblem: 'address_not_public', lastResponseStatus: undefined }]);
      expect(running.receiver.received.filter(({ path }) => path === '/private')).toEqual([]);
    } finally {
      await strict.stop();
    }
  });

  it('is deleted with its institution, and with its deliveries', async () => {
    const { institutionId, path, admin, id, publish } = await createWebhook({ event_types: ['records.project.changed'] });
    await publish();
    await arrived(path);
    await running.publish(institutionId, 'records.institution.deleted', { id: institutionId });
    await waitFor(async () => (await admin.list()).count === 0);
    await expect(admin.deliveries(id)).rejects.toMatchObject({ code: 'not_found' });
    const remaining = (collection: string, filter: object) => mongo.connection.collection(collection).countDocuments(filter);
    await waitFor(async () => (await remaining('deliveries', { institution_id: institutionId })) === 0);
    expect(await remaining('webhooks', { institution_id: institutionId, url: { $ne: '' } })).toBe(0);
  });
});

describe('an institution that was deleted by a service whose clock is behind', () => {
  it('loses its webhooks, except those that were created long after the deletion', async () => {
    const { institutionId, admin, id } = await createWebhook({ event_types: ['webhooks.webhook.tested'] });
    const tenMinutesBehind = running.now() - 600_000;
    running.advance(2 * 3_600_000);
    const path = `/${newId()}`;
    const { webhook } = await admin.create({ url: running.receiver.origin + path, event_types: ['webhooks.webhook.tested'] });
    await running.publish(institutionId, 'records.institution.deleted', { id: institutionId }, { now: () => tenMinutesBehind });
    await waitFor(async () => !(await admin.list()).webhooks.some((one) => one.id === id));
    await admin.test(webhook.id);
    await arrived(path);
    expect((await admin.list()).webhooks.map((one) => one.id)).toEqual([webhook.id]);
    await admin.delete(webhook.id);
  });
});

/** Inserts dead deliveries in this order. */
async function insertDead(
  key: { readonly institutionId: string; readonly webhookId: string },
  eventIds: readonly string[],
  fields: object = {},
): Promise<void> {
  const { servers } = running;
  const mongo = await connectMongo({
    url: servers.mongodbUrl,
    database: servers.database('webhooks'),
    logger: createLogger('test', 'fatal'),
  });
  const start = running.now() - DAY_MS;
  const never = new Date('9999-12-31T00:00:00Z');
  try {
    await deliveryModel(mongo.connection).insertMany(
      eventIds.map((eventId, at) => ({
        ...{ _id: `${key.webhookId}:${eventId}`, institution_id: key.institutionId, webhook_id: key.webhookId, event_id: eventId },
        ...{ event_type: 'records.project.changed', body: '{}', state: 'dead', attempts: 10, version: 1 },
        ...{ created_at: new Date(start + Math.floor(at / 3)), due_at: never, ...fields },
      })),
      { lean: true },
    );
  } finally {
    await mongo.close();
  }
}

/** The findings of an inspection of a database that no process serves. */
async function overdueSince(database: string, olderThanMs: number): Promise<unknown> {
  const { servers } = running;
  const mongo = await connectMongo({
    url: servers.mongodbUrl,
    database: servers.database(database),
    logger: createLogger('test', 'fatal'),
  });
  try {
    const webhooks = createWebhookStore({ model: webhookModel(mongo.connection), clock: systemClock, leaseMs: LEASE_MS });
    return await overdueWebhooks({ webhooks, clock: systemClock }).inspect({
      olderThanMs,
      repair: false,
      signal: AbortSignal.timeout(10_000),
    });
  } finally {
    await mongo.close();
  }
}

describe('concurrent lookups of webhooks for events', () => {
  it('are combined, and each one returns the current webhooks of its institution', async () => {
    const { servers } = running;
    const database = servers.database('together');
    const mongo = await connectMongo({ url: servers.mongodbUrl, database, logger: createLogger('test', 'fatal') });
    try {
      const model = webhookModel(mongo.connection);
      const webhooks = createWebhookStore({ model, clock: systemClock, leaseMs: LEASE_MS });
      const rest = { modified_at: new Date(), deleted_at: null, previous_secret: null, previous_secret_until: null };
      const store = async (institution_id: string, day: string): Promise<string> => {
        const id = newId();
        await model.collection.insertOne({ ...rest, _id: id, institution_id, created_at: new Date(day) } as never);
        return id;
      };
      const [none, one, two] = [newId(), newId(), newId()] as const;
      const only = await store(one, '2026-03-02');
      const second = await store(two, '2026-03-03');
      const first = await store(two, '2026-03-01');
      const listed = async (institutionId: string) => (await webhooks.listForEvent({ institutionId })).map(({ id }) => id);

      const find = jest.spyOn(model, 'find');
      const asked = Array.from({ length: 100 }, () => [none, one, two]).flat();
      const early = asked.map(listed);
      // Events of an import arrive in small groups.
      await nextTurn();
      const lists = await Promise.all([...early, ...asked.map(listed)]);
      expect(lists).toEqual(Array.from({ length: 200 }, () => [[], [only], [first, second]]).flat());
      expect(find).toHaveBeenCalledTimes(1);

      const late = await store(none, '2026-03-04');
      expect(await listed(none)).toEqual([late]);
    } finally {
      await mongo.close();
    }
  });
});

describe('a process that is killed', () => {
  it('after sending and before storing the result leaves the event to the next process, which sends it again', async () => {
    const main = {
      main: MAIN,
      env: { ...running.environment, MONGODB_DATABASE: running.servers.database('killed'), SENDER_LEASE_SECONDS: String(LEASE_MS / 1_000) },
    };
    const caller = callerOf(newId());
    const path = `/${newId()}`;
    let first = await startServiceProcess(main);
    let client = clientOf(first.address, caller);
    const { webhook } = await client.create({ url: running.receiver.origin + path, event_types: ['webhooks.webhook.tested'] });
    // It is killed while the received request is still open.
    running.receiver.answer(path, () => undefined);
    const { id } = await client.test(webhook.id);
    await arrived(path);
    client.close();
    await first.kill();
    const sentBefore = running.receiver.at(path).length;
    // No other process sends it, so the inspection reports it.
    expect(await overdueSince('killed', 3_600_000)).toEqual({ count: 0, examples: [], repaired: 0 });
    expect(await overdueSince('killed', -LEASE_MS)).toEqual({ count: 1, examples: [webhook.id], repaired: 0 });

    running.receiver.answer(path, 204);
    first = await startServiceProcess(main);
    client = clientOf(first.address, caller);
    try {
      await waitFor(async () =>
        (await client.deliveries(webhook.id)).some((one) => one.id === id && one.state === State.DELIVERY_STATE_DELIVERED),
      );
      const sent = running.receiver.at(path).map(({ headers }) => headers['webhook-id']);
      expect(sent.length).toBeGreaterThan(sentBefore);
      expect(new Set(sent)).toEqual(new Set([id]));
    } finally {
      client.close();
      await first.stop();
    }
  });
});
