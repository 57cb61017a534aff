import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '@stechuhr/kernel';
import { connectMongo, type MongoDb } from '@stechuhr/mongo';
import { createLogger } from '@stechuhr/service';
import { waitFor } from '@stechuhr/testing';
import type { WebhookLease, WebhookStore } from '../src/operations/ports.js';
import { webhookModel } from '../src/store/webhook-model.js';
import { createWebhookStore } from '../src/store/webhook-store.js';
import { callerOf, startWebhooks, type RunningWebhooks } from './support/running-webhooks.js';

const LEASE_MS = 60_000;
/** Of the running service, which renews its leases three times as often. */
const SHORT_LEASE_MS = 1_000;
const NOTHING = { dueAt: undefined, restsUntil: 0 };

let running: RunningWebhooks;
let mongo: MongoDb;
let model: ReturnType<typeof webhookModel>;

beforeAll(async () => {
  running = await startWebhooks({ SENDER_LEASE_SECONDS: String(SHORT_LEASE_MS / 1_000) }, { timeoutMs: 300_000 });
  const { servers } = running;
  mongo = await connectMongo({ url: servers.mongodbUrl, database: servers.database('leases'), logger: createLogger('test', 'fatal') });
  model = webhookModel(mongo.connection);
});
afterAll(async () => {
  await mongo.close();
  await running.stop();
});

describe('sending that takes longer than the lease', () => {
  it('renews the lease, so that nothing is sent twice', async () => {
    const [slow, quick] = [await created('/slow'), await created('/quick')];
    const open: ServerResponse[] = [];
    running.receiver.answer('/slow', (response) => void open.push(response));
    await slow.publish();
    await waitFor(() => open.length > 0);
    const database = mongo.connection.useDb(running.servers.database('webhooks'));
    const stored = database.collection<{ readonly _id: string; readonly lease_until: Date }>('webhooks');
    const endOfLease = async () => (await stored.findOne({ _id: slow.id }))?.lease_until.getTime() ?? 0;
    for (let renewals = 0; renewals < 3; renewals++) {
      running.advance(SHORT_LEASE_MS / 2);
      await waitFor(async () => (await endOfLease()) === running.now() + SHORT_LEASE_MS);
    }
    // When an event that was published later has arrived elsewhere, the sender has looked for due webhooks again.
    await quick.publish();
    await waitFor(() => running.receiver.at('/quick').length > 0);
    for (const response of open) response.writeHead(204).end();
    await waitFor(async () => (await slow.admin.deliveries(slow.id, { states: 'delivered' })).length === 1);
    expect(running.receiver.at('/slow')).toHaveLength(1);
  });

  async function created(path: string) {
    const institutionId = newId();
    const admin = running.as(callerOf(institutionId));
    const { webhook } = await admin.create({ url: running.receiver.origin + path, event_types: ['records.project.changed'] });
    return { admin, id: webhook.id, publish: () => running.publish(institutionId, 'records.project.changed', { id: newId() }) };
  }
});

describe('a delivery that becomes due during a lease', () => {
  let now = Date.parse('2026-03-02T10:00:00Z');
  let webhooks: WebhookStore;
  let first: WebhookLease;

  beforeEach(async () => {
    await model.deleteMany({});
    webhooks = createWebhookStore({ model, clock: { now: () => now }, leaseMs: LEASE_MS });
    const rest = { created_at: new Date(now), modified_at: new Date(now), deleted_at: null, previous_secret: null };
    const idle = { due_at: new Date(now), lease_id: null, lease_until: new Date(0), previous_secret_until: null };
    await model.collection.insertOne({ _id: newId(), institution_id: newId(), ...rest, ...idle } as never);
    const [lease] = await webhooks.take(1);
    if (lease === undefined) throw new Error('Nothing was taken.');
    first = lease;
  });

  const later = (seconds: number) => void (now += seconds * 1_000);
  const taken = async () => (await webhooks.take(1)).map(({ webhook }) => webhook.id);
  const renewed = async (lease: WebhookLease): Promise<WebhookLease> => {
    const next = await webhooks.renew(lease);
    if (next === undefined) throw new Error('The lease is lost.');
    return next;
  };

  it('is sent after the lease ends', async () => {
    await webhooks.wake(first.webhook);
    await webhooks.release(first, NOTHING);
    expect(await taken()).toEqual([first.webhook.id]);
  });

  it('is sent after a renewed lease ends', async () => {
    later(40);
    const lease = await renewed(first);
    later(21);
    await webhooks.wake(lease.webhook);
    await webhooks.release(lease, NOTHING);
    expect(await taken()).toEqual([lease.webhook.id]);
  });

  it('is sent if the lease is renewed afterwards', async () => {
    await webhooks.wake(first.webhook);
    later(40);
    const lease = await renewed(first);
    later(21);
    await webhooks.release(lease, NOTHING);
    expect(await taken()).toEqual([lease.webhook.id]);
  });

  it('is sent if the lease has already expired and cannot be renewed', async () => {
    later(61);
    await webhooks.wake(first.webhook);
    expect(await webhooks.renew(first)).toBeUndefined();
    await webhooks.release(first, NOTHING);
    expect(await taken()).toEqual([first.webhook.id]);
  });

  it('is neither late nor overdue as long as the lease is valid', async () => {
    await webhooks.wake(first.webhook);
    later(40);
    const lease = await renewed(first);
    later(21);
    expect(await webhooks.oldestDue()).toBeUndefined();
    expect(await webhooks.overdue(now, 5)).toEqual({ count: 0, ids: [] });
    await webhooks.release(lease, NOTHING);
    expect(await webhooks.oldestDue()).toBe(now - 61_000);
    expect(await webhooks.overdue(now, 5)).toEqual({ count: 1, ids: [lease.webhook.id] });
  });

  it('waits for the end of a pause, unless an administrator has woken the webhook', async () => {
    const paused = { dueAt: now + 1_000, restsUntil: now + 30_000 };
    await webhooks.wake(first.webhook);
    await webhooks.release(first, paused);
    await webhooks.wake(first.webhook);
    expect(await taken()).toEqual([]);
    expect(await webhooks.oldestDue()).toBeUndefined();
    later(31);
    expect(await webhooks.oldestDue()).toBe(paused.restsUntil);
    const [second] = await webhooks.take(1);
    if (second === undefined) throw new Error('Nothing was taken.');
    await webhooks.wakeAtOnce(second.webhook);
    await webhooks.release(second, { dueAt: undefined, restsUntil: now + 30_000 });
    expect(await taken()).toEqual([first.webhook.id]);
  });

  it('does not wait for the end of a pause that a clock ahead has set', async () => {
    await webhooks.release(first, { dueAt: undefined, restsUntil: now + 3_600_000 });
    await webhooks.wake(first.webhook);
    expect(await webhooks.oldestDue()).toBe(now);
    expect(await taken()).toEqual([first.webhook.id]);
  });

  it('waits longer and longer if the processes that send it end each time, until another process sends it', async () => {
    const lost = async () => (await webhooks.take(1)).map(({ lostLeases }) => lostLeases);
    later(61);
    expect(await lost()).toEqual([1]);
    for (const [count, pause] of [
      [2, 60],
      [3, 120],
      [4, 240],
    ] as const) {
      later(61);
      expect(await lost()).toEqual([]);
      later(pause - 1);
      expect(await lost()).toEqual([]);
      later(pause + 1);
      expect(await lost()).toEqual([count]);
    }
    later(61);
    expect(await lost()).toEqual([]);
    later(601);
    const [last] = await webhooks.take(1);
    if (last === undefined) throw new Error('Nothing was taken.');
    await webhooks.release(last, { dueAt: now, restsUntil: 0 });
    expect(await lost()).toEqual([0]);
    later(61);
    expect(await lost()).toEqual([1]);
  });

  it('is the only reason to take the webhook again', async () => {
    later(40);
    const lease = await renewed(first);
    later(21);
    await webhooks.release(lease, NOTHING);
    later(3_600);
    expect(await taken()).toEqual([]);
  });
});
