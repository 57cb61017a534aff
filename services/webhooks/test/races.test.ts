import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { context, createContextKey, ROOT_CONTEXT, type Context } from '@opentelemetry/api';
import { createEvent, withinTrace } from '@stechuhr/bus';
import { createFairLimiter, newId, newTimeOrderedId } from '@stechuhr/kernel';
import { connectMongo, outboxOf, removalCollection, repeatedRemovals, type MongoDb } from '@stechuhr/mongo';
import { createLogger } from '@stechuhr/service';
import { testServers, waitFor, type TestServers } from '@stechuhr/testing';
import { KEPT_MS, MAX_DELIVERIES, type Answer } from '../src/domain/delivery.js';
import type { PlatformEvent, Webhook } from '../src/domain/webhook.js';
import { replayDeliveries, replayDelivery } from '../src/operations/deliveries.js';
import {
  createWebhook,
  deleteWebhook,
  purgeDeleted,
  removeInstitution,
  repeatRemovals,
  updateWebhook,
} from '../src/operations/manage-webhooks.js';
import type { Ports } from '../src/operations/ports.js';
import { recordEvent } from '../src/operations/record-event.js';
import { sendDue } from '../src/operations/send-due.js';
import { startSender } from '../src/sender.js';
import { deliveryModel } from '../src/store/delivery-model.js';
import { createDeliveryStore } from '../src/store/delivery-store.js';
import { webhookModel } from '../src/store/webhook-model.js';
import { createWebhookStore } from '../src/store/webhook-store.js';

let servers: TestServers;
let mongo: MongoDb;
let model: ReturnType<typeof webhookModel>;
let deliveryDocuments: ReturnType<typeof deliveryModel>;
let ports: Ports;
/** How far the clock is ahead of that of the machine, in milliseconds. */
let ahead = 0;

beforeAll(async () => {
  servers = await testServers();
  mongo = await connectMongo({ url: servers.mongodbUrl, database: servers.database('races'), logger: createLogger('test', 'fatal') });
  const clock = { now: () => Date.now() + ahead };
  model = webhookModel(mongo.connection);
  deliveryDocuments = deliveryModel(mongo.connection);
  ports = {
    webhooks: createWebhookStore({ model, clock, leaseMs: 60_000 }),
    deliveries: createDeliveryStore(deliveryDocuments, clock),
    removals: repeatedRemovals(removalCollection(mongo.connection), clock),
    send: () => Promise.reject(new Error('Nothing is sent.')),
    inTrace: withinTrace,
    clock,
    eventClock: () => Promise.resolve(undefined),
    allowedHosts: [],
    inRequestSlot: createFairLimiter({ concurrency: 1, perKey: 1 }),
    event: (type, { id, institutionId }) => createEvent({ type, institutionId, data: { id }, clock }),
    notifyOutbox: () => undefined,
    wakeSender: () => undefined,
  };
});
afterEach(() => void (ahead = 0));
afterAll(async () => {
  await mongo.close();
  await servers.stop();
});

const logger = createLogger('test', 'fatal');
const NEVER_ABORTED = new AbortController().signal;
const HOUR_MS = 3_600_000;

const stored = (fields: object = {}): Promise<Webhook> =>
  createWebhook(ports, { institutionId: newId() }, JSON.stringify({ url: 'https://example.com/hooks', ...fields }));

function eventFor({ institutionId }: Webhook): PlatformEvent {
  return { id: newId(), institutionId, type: 'records.project.changed', time: new Date().toISOString(), data: { id: newId() } };
}

async function deliveriesOf({ id: webhookId, institutionId }: Webhook): Promise<number> {
  const page = { states: undefined, oldestFirst: false, limit: 10, offset: 0 };
  return (await ports.deliveries.list({ webhookId, institutionId }, page)).count;
}

describe('a webhook that is deleted while an event is recorded', () => {
  it.each([
    ['enabled', {}],
    ['disabled', { enabled: false }],
  ])('leaves no delivery behind if it is %s', async (_state, fields) => {
    const webhook = await stored(fields);
    const listForEvent: Ports['webhooks']['listForEvent'] = async (tenant) => {
      const listed = await ports.webhooks.listForEvent(tenant);
      await deleteWebhook(ports, tenant, webhook.id);
      return listed;
    };
    await recordEvent({ ...ports, webhooks: { ...ports.webhooks, listForEvent } }, eventFor(webhook));
    expect(await deliveriesOf(webhook)).toBe(0);
  });

  it('leaves no delivery behind that is created after its others are deleted', async () => {
    const webhook = await stored();
    await recordEvent(ports, eventFor(webhook));
    await deleteWebhook(ports, webhook, webhook.id);
    await purgeDeleted(ports, NEVER_ABORTED);
    await recordEvent({ ...ports, webhooks: { ...ports.webhooks, listForEvent: () => Promise.resolve([webhook]) } }, eventFor(webhook));
    expect(await deliveriesOf(webhook)).toBe(0);
  });

  it('keeps the deliveries of a webhook that is not deleted', async () => {
    const webhook = await stored();
    await recordEvent(ports, eventFor(webhook));
    expect(await deliveriesOf(webhook)).toBe(1);
  });
});

describe('events that are recorded at the same time', () => {
  it('are written together, for all webhooks of an institution', async () => {
    const first = await stored();
    const tenant = { institutionId: first.institutionId };
    const body = JSON.stringify({ url: 'https://example.com/hooks' });
    const others = await Promise.all(Array.from({ length: 4 }, () => createWebhook(ports, tenant, body)));
    const [inserted, updated] = [jest.spyOn(deliveryDocuments, 'insertMany'), jest.spyOn(model, 'bulkWrite')];
    await Promise.all(Array.from({ length: 100 }, () => recordEvent(ports, eventFor(first))));
    expect(await Promise.all([first, ...others].map(deliveriesOf))).toEqual([100, 100, 100, 100, 100]);
    // Two hundred and fifty deliveries at a time.
    expect(inserted).toHaveBeenCalledTimes(2);
    expect(updated.mock.calls.length).toBeLessThanOrEqual(2);
    const due = (await ports.webhooks.take(1_000)).map(({ webhook }) => webhook.id);
    expect(due).toEqual(expect.arrayContaining([first, ...others].map(({ id }) => id)));
    jest.restoreAllMocks();
  });

  it('are written although some of them have a delivery already', async () => {
    const webhook = await stored();
    const [known, fresh, last] = [eventFor(webhook), eventFor(webhook), eventFor(webhook)];
    await recordEvent(ports, known);
    await Promise.all([known, fresh, known, last].map((event) => recordEvent(ports, event)));
    expect(await deliveriesOf(webhook)).toBe(3);
  });

  it('tell which of their webhooks was deleted meanwhile', async () => {
    const [gone, other] = [await stored(), await stored()];
    await deleteWebhook(ports, gone, gone.id);
    expect(await Promise.all([gone, other, gone].map((webhook) => ports.webhooks.wake(webhook)))).toEqual([false, true, false]);
  });
});

describe('a deleted webhook', () => {
  it('has its deliveries deleted afterwards, also by another process if the first one was killed', async () => {
    const webhook = await stored();
    for (let count = 0; count < 3; count++) await recordEvent(ports, eventFor(webhook));
    const other = await stored();
    await recordEvent(ports, eventFor(other));
    await deleteWebhook(ports, webhook, webhook.id);
    expect([await ports.webhooks.find(webhook, webhook.id), await deliveriesOf(webhook)]).toEqual([undefined, 3]);
    await outboxOf(model.collection).published([await outboxOfWebhook(webhook)]);

    const killed = { ...ports.deliveries, removeSome: () => Promise.reject(new Error('killed')) };
    await expect(purgeDeleted({ ...ports, deliveries: killed }, NEVER_ABORTED)).rejects.toThrow('killed');
    await purgeDeleted(ports, NEVER_ABORTED);
    expect([await deliveriesOf(webhook), await deliveriesOf(other)]).toEqual([0, 1]);
  });

  it('has deliveries deleted that were created by a process which was killed then', async () => {
    const webhook = await stored();
    await deleteWebhook(ports, webhook, webhook.id);
    await outboxOf(model.collection).published([await outboxOfWebhook(webhook)]);
    await purgeDeleted(ports, NEVER_ABORTED);
    const webhooks: Ports['webhooks'] = {
      ...ports.webhooks,
      listForEvent: () => Promise.resolve([webhook]),
      wake: () => Promise.reject(new Error('killed')),
    };
    await expect(recordEvent({ ...ports, webhooks }, eventFor(webhook))).rejects.toThrow('killed');
    await purgeDeleted(ports, NEVER_ABORTED);
    expect([await deliveriesOf(webhook), await model.countDocuments({ _id: webhook.id })]).toEqual([1, 1]);
    ahead = 2 * HOUR_MS;
    await purgeDeleted(ports, NEVER_ABORTED);
    expect([await deliveriesOf(webhook), await model.countDocuments({ _id: webhook.id })]).toEqual([0, 0]);
  });

  it('is kept without its address and secrets until its event is published', async () => {
    const webhook = await stored();
    await deleteWebhook(ports, webhook, webhook.id);
    await purgeDeleted(ports, NEVER_ABORTED);
    const kept = await model.findById(webhook.id).lean();
    expect(kept?.outbox.map(({ type }) => type)).toEqual([expect.stringContaining('created'), expect.stringContaining('deleted')]);
    for (const text of [webhook.secret, webhook.url]) expect(JSON.stringify(kept)).not.toContain(text);
    ahead = 2 * HOUR_MS;
    await purgeDeleted(ports, NEVER_ABORTED);
    expect(await model.countDocuments({ _id: webhook.id })).toBe(1);
  });

  async function outboxOfWebhook({ id, institutionId }: Webhook) {
    const found = await model.findById(id).lean();
    return { docId: id, institutionId, isDeleted: true, eventIds: found?.outbox.map((event) => event.id) ?? [] };
  }
});

describe('a webhook that is created while its institution is deleted', () => {
  const MINUTE_MS = 60_000;

  // The time between the removal of the others and its creation, in minutes.
  it.each([
    ['is deleted an hour later', 0.5, 0],
    ['belongs to an institution that was created again if that was later', 2, 1],
  ])('%s', async (_outcome, minutes, remaining) => {
    const tenant = { institutionId: newId() };
    await removeInstitution(ports, { ...tenant, deletedAt: new Date(ports.clock.now()) });
    ahead = minutes * MINUTE_MS;
    await createWebhook(ports, tenant, JSON.stringify({ url: 'https://example.com/hooks' }));
    ahead = HOUR_MS - MINUTE_MS;
    await repeatRemovals(ports);
    expect(await ports.webhooks.list(tenant)).toHaveLength(1);
    ahead = HOUR_MS + MINUTE_MS;
    await repeatRemovals(ports);
    expect(await ports.webhooks.list(tenant)).toHaveLength(remaining);
  });

  it('is not deleted by a deletion that is delivered again after the institution was created again', async () => {
    const tenant = { institutionId: newId() };
    const deletion = { ...tenant, deletedAt: new Date(ports.clock.now()) };
    await removeInstitution(ports, deletion);
    ahead = 10 * MINUTE_MS;
    await createWebhook(ports, tenant, JSON.stringify({ url: 'https://example.com/hooks' }));
    ahead = 11 * MINUTE_MS;
    await removeInstitution(ports, deletion);
    expect(await ports.webhooks.list(tenant)).toHaveLength(1);
    ahead = HOUR_MS + 12 * MINUTE_MS;
    await repeatRemovals(ports);
    expect(await ports.webhooks.list(tenant)).toHaveLength(1);
    // An operator may send a dead letter again days later.
    ahead = 24 * HOUR_MS;
    await removeInstitution(ports, deletion);
    expect(await ports.webhooks.list(tenant)).toHaveLength(1);
  });

  it('is not deleted if it was created more than an hour after the deletion, however late that was handled', async () => {
    const tenant = { institutionId: newId() };
    await createWebhook(ports, tenant, JSON.stringify({ url: 'https://example.com/hooks' }));
    await removeInstitution(ports, { ...tenant, deletedAt: new Date(ports.clock.now() - 2 * HOUR_MS) });
    ahead = HOUR_MS + MINUTE_MS;
    await repeatRemovals(ports);
    expect(await ports.webhooks.list(tenant)).toHaveLength(1);
  });
});

describe('deliveries of a webhook', () => {
  const NOW = Date.parse('2026-03-02T10:00:00Z');
  const recorded = async (webhook: Webhook, seconds: number): Promise<void> => {
    const time = new Date(NOW + seconds * 1_000).toISOString();
    await recordEvent(ports, { ...eventFor(webhook), time, storedAt: Date.now() });
  };
  const secondsOf = async ({ id: webhookId, institutionId }: Webhook) => {
    const page = { states: undefined, oldestFirst: true, limit: 100, offset: 0 };
    return (await ports.deliveries.list({ webhookId, institutionId }, page)).results.map(({ createdAt }) => (createdAt - NOW) / 1_000);
  };

  it('are kept up to a number: the oldest are deleted', async () => {
    const [webhook, other] = [await stored(), await stored()];
    for (const second of [5, 1, 4, 2, 3]) await recorded(webhook, second);
    await recorded(other, 0);
    const key = { webhookId: webhook.id, institutionId: webhook.institutionId };
    await ports.deliveries.trim(key, { pending: 5, dead: 0, delivered: 0 });
    expect(await secondsOf(webhook)).toEqual([1, 2, 3, 4, 5]);
    await ports.deliveries.trim(key, { pending: 3, dead: 0, delivered: 0 });
    expect([await secondsOf(webhook), await secondsOf(other)]).toEqual([[3, 4, 5], [0]]);
  });

  it('are counted by state, so that delivered ones displace none that wait', async () => {
    const webhook = await stored();
    for (const second of [1, 2, 3, 4, 5]) await recorded(webhook, second);
    const key = { webhookId: webhook.id, institutionId: webhook.institutionId };
    const due = (await ports.deliveries.due(key, 5)).sort((a, b) => a.createdAt - b.createdAt);
    const states = ['pending', 'delivered', 'dead', 'dead', 'delivered'] as const;
    for (const [at, state] of states.entries()) {
      const delivery = due[at];
      if (delivery !== undefined) await ports.deliveries.save(delivery, { state });
    }
    await ports.deliveries.trim(key, { pending: 1, dead: 1, delivered: 1 });
    expect(await secondsOf(webhook)).toEqual([1, 4, 5]);
  });

  it.each([
    ['000', 1],
    ['100', 0],
  ])('are counted after one of 4,096 events: …%s', async (end, times) => {
    const webhook = await stored({ enabled: false });
    const event = { ...eventFor(webhook), id: newId().slice(0, -3) + end };
    const trim = jest.fn(() => Promise.resolve());
    await recordEvent({ ...ports, deliveries: { ...ports.deliveries, trim } }, event);
    expect(trim.mock.calls).toEqual(
      Array.from({ length: times }, () => [expect.objectContaining({ webhookId: webhook.id }), MAX_DELIVERIES]),
    );
  });
});

describe('a replay whose process is killed before it wakes the webhook', () => {
  const MINUTE_MS = 60_000;
  const killed: Partial<Ports['webhooks']> = { wakeAtOnce: () => Promise.reject(new Error('killed')) };
  const json = JSON.stringify({ since: '2026-01-01T00:00:00' });
  const taken = async () => (await ports.webhooks.take(1_000)).map(({ webhook }) => webhook.id);

  it.each([
    [
      'of one event',
      (broken: Ports, { id, institutionId }: Webhook, eventId: string) => replayDelivery(broken, { institutionId }, { id, eventId }),
    ],
    ['of all events', (broken: Ports, { id, institutionId }: Webhook) => replayDeliveries(broken, { institutionId }, { id, json })],
  ])('%s is sent a minute later', async (_what, replay) => {
    const webhook = await stored({ enabled: false });
    const event = eventFor(webhook);
    await recordEvent(ports, event);
    await updateWebhook(ports, webhook, { id: webhook.id, json: JSON.stringify({ enabled: true }) });
    for (const lease of await ports.webhooks.take(1_000)) await ports.webhooks.release(lease, { dueAt: undefined, restsUntil: 0 });
    expect(await taken()).not.toContain(webhook.id);

    const broken = { ...ports, webhooks: { ...ports.webhooks, ...killed } };
    await expect(replay(broken, webhook, event.id)).rejects.toThrow('killed');
    ahead = MINUTE_MS;
    expect(await taken()).toContain(webhook.id);
  });
});

describe('a webhook that is changed while a result is stored', () => {
  it('keeps what the sender has stored', async () => {
    const { id, institutionId } = await stored();
    const tenant = { institutionId };
    const failingSince = async () => (await ports.webhooks.find(tenant, id))?.failingSince;
    const changedAfter = async (store: (webhook: Webhook) => Promise<void>): Promise<unknown> => {
      const before = await ports.webhooks.find(tenant, id);
      if (before === undefined) throw new Error('There is none.');
      await store(before);
      await ports.webhooks.replace(before, { ...before, description: 'ERP' }, ports.event('webhooks.webhook.updated', before));
      return failingSince();
    };
    expect(await changedAfter((webhook) => ports.webhooks.failed(webhook, 1_000))).toBe(1_000);
    expect(await changedAfter((webhook) => ports.webhooks.succeeded(webhook))).toBeNull();
  });
});

describe('a webhook that is changed while a request to it is under way', () => {
  const [first, second] = ['https://example.com/hooks', 'https://example.com/new'];

  /** Sends what is due as a process does that holds the webhook until it stops. @returns the addresses of the requests */
  async function sendAll({ id }: Webhook, answers: (url: string) => Promise<Answer>): Promise<string[]> {
    const urls: string[] = [];
    const send: Ports['send'] = async ({ url }) => {
      urls.push(url);
      return answers(url);
    };
    for (const lease of await ports.webhooks.take(1_000)) {
      if (lease.webhook.id === id) await sendDue({ ...ports, send, logger }, lease, NEVER_ABORTED);
      else await ports.webhooks.release(lease, { dueAt: undefined, restsUntil: 0 });
    }
    return urls;
  }

  it('gets the event at its new address if the former one is gone', async () => {
    const webhook = await stored({ url: first });
    const event = eventFor(webhook);
    await recordEvent(ports, event);
    const urls = await sendAll(webhook, async () => {
      await updateWebhook(ports, webhook, { id: webhook.id, json: JSON.stringify({ url: second }) });
      return { status: 410, problem: 'status' };
    });
    expect(urls).toEqual([first]);
    const key = { webhookId: webhook.id, institutionId: webhook.institutionId };
    expect(await ports.webhooks.find(webhook, webhook.id)).toMatchObject({ enabled: true });
    expect(await ports.deliveries.find(key, event.id)).toMatchObject({ state: 'pending', attempts: 1, lastStatus: 410 });

    ahead = 10_000;
    expect(await sendAll(webhook, () => Promise.resolve({ status: 200, problem: null }))).toEqual([second]);
    expect(await ports.deliveries.find(key, event.id)).toMatchObject({ state: 'delivered', attempts: 2 });
  });

  it('gives up all events of a target that is gone if it was not changed', async () => {
    const webhook = await stored();
    for (let events = 0; events < 3; events++) await recordEvent(ports, eventFor(webhook));
    await sendAll(webhook, () => Promise.resolve({ status: 410, problem: 'status' }));
    expect(await ports.webhooks.find(webhook, webhook.id)).toMatchObject({ enabled: false, disabledReason: 'gone' });
    const dead = { states: ['dead'], oldestFirst: false, limit: 10, offset: 0 } as const;
    expect((await ports.deliveries.list({ webhookId: webhook.id, institutionId: webhook.institutionId }, dead)).count).toBe(3);
  });
});

describe('a replay in several calls', () => {
  it('continues after an event that has been removed by age meanwhile', async () => {
    const webhook = await stored({ enabled: false });
    const [removed, kept] = [0, HOUR_MS].map((later) => {
      const time = new Date(Date.now() + later).toISOString();
      return { ...eventFor(webhook), id: newTimeOrderedId(), time };
    }) as [PlatformEvent, PlatformEvent];
    for (const event of [removed, kept]) await recordEvent(ports, event);
    await updateWebhook(ports, webhook, { id: webhook.id, json: JSON.stringify({ enabled: true }) });
    const replayAfter = (after: string) =>
      replayDeliveries(ports, webhook, { id: webhook.id, json: JSON.stringify({ since: '2026-01-01T00:00:00', after }) });

    ahead = KEPT_MS + HOUR_MS / 2;
    await ports.deliveries.removeBefore(ports.clock.now() - KEPT_MS);
    expect(await replayAfter(removed.id)).toEqual({ count: 1, next: undefined });
    expect(await ports.deliveries.find({ ...webhook, webhookId: webhook.id }, kept.id)).toMatchObject({ state: 'pending' });
    // An id that cannot have been removed by age is a mistake.
    ahead = 0;
    for (const unknown of [newId(), newTimeOrderedId()]) await expect(replayAfter(unknown)).rejects.toMatchObject({ code: 'invalid' });
  });
});

describe('a webhook that is enabled and replayed', () => {
  const json = JSON.stringify({ since: '2026-01-01T00:00:00' });

  async function enableAndReplay({ id, institutionId }: Webhook): Promise<void> {
    await updateWebhook(ports, { institutionId }, { id, json: JSON.stringify({ enabled: true }) });
    await replayDeliveries(ports, { institutionId }, { id, json });
  }

  it('is sent an event that was being recorded as one of a disabled webhook', async () => {
    const webhook = await stored({ enabled: false });
    const event = eventFor(webhook);
    const listForEvent: Ports['webhooks']['listForEvent'] = async (tenant) => {
      const listed = await ports.webhooks.listForEvent(tenant);
      await enableAndReplay(webhook);
      return listed;
    };
    await recordEvent({ ...ports, webhooks: { ...ports.webhooks, listForEvent } }, event);
    const key = { webhookId: webhook.id, institutionId: webhook.institutionId };
    expect(await ports.deliveries.find(key, event.id)).toMatchObject({ state: 'pending' });
    const taken = await ports.webhooks.take(1_000);
    expect(taken.map((lease) => lease.webhook.id)).toContain(webhook.id);
    expect(await ports.deliveries.due(key, 10)).toHaveLength(1);
  });

  it('is sent an event whose process was killed after recording it as one of a disabled webhook', async () => {
    const webhook = await stored({ enabled: false });
    const event = eventFor(webhook);
    const listForEvent: Ports['webhooks']['listForEvent'] = async (tenant) => {
      const listed = await ports.webhooks.listForEvent(tenant);
      await enableAndReplay(webhook);
      return listed;
    };
    const find = () => Promise.reject(new Error('killed'));
    await expect(recordEvent({ ...ports, webhooks: { ...ports.webhooks, listForEvent, find } }, event)).rejects.toThrow('killed');
    // The bus delivers the event again.
    await recordEvent(ports, event);
    const key = { webhookId: webhook.id, institutionId: webhook.institutionId };
    expect(await ports.deliveries.due(key, 10)).toMatchObject([{ eventId: event.id, state: 'pending' }]);
  });

  it('is sent an event that the sender was giving up', async () => {
    const webhook = await stored();
    const event = eventFor(webhook);
    await recordEvent(ports, event);
    await updateWebhook(ports, webhook, { id: webhook.id, json: JSON.stringify({ enabled: false }) });
    const due: Ports['deliveries']['due'] = async (key, limit) => {
      const found = await ports.deliveries.due(key, limit);
      if (found.some(({ state }) => state === 'pending')) await enableAndReplay(webhook);
      return found;
    };
    const urls: string[] = [];
    const send: Ports['send'] = async ({ url }) => {
      urls.push(url);
      return { status: 200, problem: null };
    };
    for (let turn = 0; turn < 2; turn++) {
      for (const lease of await ports.webhooks.take(1_000)) {
        if (lease.webhook.id !== webhook.id) await ports.webhooks.release(lease, { dueAt: undefined, restsUntil: 0 });
        else await sendDue({ ...ports, send, deliveries: { ...ports.deliveries, due }, logger }, lease, NEVER_ABORTED);
      }
    }
    const key = { webhookId: webhook.id, institutionId: webhook.institutionId };
    expect(await ports.deliveries.find(key, event.id)).toMatchObject({ state: 'delivered' });
    expect(urls).toHaveLength(1);
  });
});

describe('a webhook with many events', () => {
  it('is taken again after those that wait, when its turn of ten seconds is over', async () => {
    const [busy, other] = [await stored(), await stored()];
    await Promise.all(Array.from({ length: 20 }, () => recordEvent(ports, eventFor(busy))));
    const leases = await ports.webhooks.take(100);
    const lease = leases.find(({ webhook }) => webhook.id === busy.id);
    if (lease === undefined) throw new Error('It is not due.');
    await recordEvent(ports, eventFor(other));
    let sent = 0;
    const send: Ports['send'] = () => {
      sent += 1;
      ahead += 1_000;
      return Promise.resolve({ status: 204, problem: null });
    };
    await sendDue({ ...ports, send, logger }, lease, NEVER_ABORTED);
    // Events are read sixteen at a time, which takes sixteen seconds here.
    expect(sent).toBe(16);
    const takenNext = async () => (await ports.webhooks.take(1)).map(({ webhook }) => webhook.id);
    expect([await takenNext(), await takenNext()]).toEqual([[other.id], [busy.id]]);
  });
});

describe('a sender that is woken for one institution', () => {
  const KEY = createContextKey('test');
  const storage = new AsyncLocalStorage<Context>();

  beforeEach(() => {
    const manager = {
      active: () => storage.getStore() ?? ROOT_CONTEXT,
      with: <A extends unknown[], R>(of: Context, run: (...args: A) => R, self?: unknown, ...args: A) =>
        storage.run(of, () => run.apply(self, args)),
      bind: <T>(_: Context, target: T) => target,
      enable: () => manager,
      disable: () => manager,
    };
    context.setGlobalContextManager(manager);
  });
  afterEach(() => context.disable());

  it('sends nothing in the trace of that institution, because it serves others, too', async () => {
    const [theirs, ours] = [await stored({ url: 'https://example.com/theirs' }), await stored({ url: 'https://example.com/ours' })];
    const sent = new Map<string, unknown>();
    const send: Ports['send'] = ({ url }) => {
      sent.set(url, context.active().getValue(KEY));
      return Promise.resolve({ status: 204, problem: null });
    };
    await recordEvent(ports, eventFor(ours));
    const sender = startSender({ ...ports, send }, logger, 3_600_000);
    try {
      await waitFor(() => sent.has(ours.url));
      await context.with(ROOT_CONTEXT.setValue(KEY, 'theirs'), () =>
        recordEvent({ ...ports, wakeSender: () => sender.wake() }, eventFor(theirs)),
      );
      await waitFor(() => sent.has(theirs.url));
      expect(sent.get(theirs.url)).toBeUndefined();
    } finally {
      await sender.stop();
    }
  });
});
