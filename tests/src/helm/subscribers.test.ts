import { once } from 'node:events';
import { JetStreamApiCodes, jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectBus, createEvent, prepareBus, type Bus, type StreamSettings } from '@stechuhr/bus';
import { eventSubject, ingestSubject, slotOf, streams, SUBSCRIBER_API, type EventType } from '@stechuhr/contracts';
import type { Logger } from '@stechuhr/kernel';
import { waitFor } from '@stechuhr/testing';
import { runSubscriber, type Subscription } from '../support/subscriber.js';
import { openChart, SEED, type Rendered } from './chart.js';
import { startChartNats, type ChartNats } from './chart-nats.js';

const A = '0b2f7f1e-6f0a-4c0e-9a55-0d9c5b1d2e3f';
const B = '7d9b0c52-6d0c-4a77-8a0e-5f4ac1f2f6b1';
const EMPLOYEE = '7f1d5b3a-2c4e-4f6a-8b0d-9e1c3a5f7b22';
const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} };
const recordId = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

const mirror = { user: 'payroll-mirror', events: ['records.workday.*', 'records.absence.*'], institution: A };
const subscribers = [mirror, { user: 'audit', events: ['*.*.*'] }];
/** Limits that are small enough for four partitions on any machine. */
const limits = new Map([[streams.events.name, { maxBytes: 64 * 1_048_576 }]]);

let server: ChartNats;
let records: Bus;
const connections: NatsConnection[] = [];
const running: Subscription[] = [];

async function render(nats: object): Promise<Rendered> {
  const chart = await openChart();
  const release = await chart.render({ infrastructure: { enabled: true, seed: SEED }, nats });
  await chart.close();
  return release;
}

const prepare = (settings: StreamSettings, logger = silent): Promise<void> =>
  prepareBus({ servers: server.urlOf('tasks'), provisioning: server.urlOf('provisioner'), name: 'test', logger, settings });

beforeAll(async () => {
  const release = await render({ subscribers });
  const [tasks] = release.object('Deployment', 'demo-stechuhr-tasks').spec.template.spec.containers;
  expect(tasks.env).toContainEqual({ name: 'NATS_SUBSCRIBERS', value: JSON.stringify(subscribers.map(sorted)) });
  server = await startChartNats(release);
  // The secret for the other team contains this URL.
  expect(server.urls['audit']).toBe(server.urlOf('audit'));
  await prepare({ limits, subscribers });
  records = await connectBus({ servers: server.urlOf('records'), name: 'test', logger: silent });
});

afterAll(async () => {
  for (const { child } of running) child.kill('SIGKILL');
  await Promise.all(connections.map((connection) => connection.close()));
  await records.close();
  await server.stop();
});

/** Sorts keys like Helm. */
const sorted = (value: object): object => Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));

async function publish(n: number, type: EventType = 'records.workday.changed', institutionId = A): Promise<void> {
  const data = { id: recordId(n), employee_id: EMPLOYEE, date: '2026-04-01' };
  const event = createEvent({ type, institutionId, data, clock: { now: () => Date.UTC(2026, 0, 1) } });
  await waitFor(() =>
    records.publish(eventSubject(institutionId, type), JSON.stringify(event), { msgId: event.id }).then(
      () => true,
      () => false,
    ),
  );
}

function subscribe(user: string): Subscription {
  const { host, password } = new URL(server.urlOf(user));
  const subscription = runSubscriber({ NATS_URL: host, NATS_USER: user, NATS_PASSWORD: password });
  running.push(subscription);
  return subscription;
}

async function managerAs(user: string): Promise<{ readonly connection: NatsConnection; readonly manager: JetStreamManager }> {
  const { host, password } = new URL(server.urlOf(user));
  const connection = await connect({ servers: host, user, pass: password, inboxPrefix: `_INBOX_${user}`, timeout: 5_000 });
  connections.push(connection);
  const api = subscribers.some((subscriber) => subscriber.user === user) ? { apiPrefix: SUBSCRIBER_API } : {};
  return { connection, manager: await jetstreamManager(connection, { checkAPI: false, ...api }) };
}

describe('a subscriber with its own user', () => {
  it('receives its events in each partition, resumes at its last position, and recovers after the server lost its data', async () => {
    await publish(1);
    await publish(2, 'records.workday.changed', B);
    await publish(3, 'records.employee.changed');
    await publish(4, 'records.absence.deleted');
    const first = subscribe(mirror.user);
    const audit = subscribe('audit');
    await waitFor(() => first.seen.includes(recordId(4)));
    await waitFor(() => [1, 2, 3, 4].every((n) => audit.seen.includes(recordId(n))));
    expect(first.seen).toEqual([1, 4].map(recordId));
    first.child.kill('SIGTERM');
    expect((await once(first.child, 'exit'))[0]).toBe(0);

    await prepare({ limits, partitions: { events: 4 }, subscribers });
    await records.close();
    records = await connectBus({ servers: server.urlOf('records'), name: 'test', logger: silent });
    expect(slotOf(A) % 4).toBe(1);
    await publish(5);
    const second = subscribe(mirror.user);
    await waitFor(() => second.seen.includes(recordId(5)));
    await waitFor(() => audit.seen.includes(recordId(5)));
    expect(second.seen).toEqual([recordId(5)]);

    const provisioning = server.urlOf('provisioner');
    const settings = { limits, partitions: { events: 4 }, subscribers };
    const tasks = await connectBus({ servers: server.urlOf('tasks'), provisioning, name: 'tasks', logger: silent, settings });
    await tasks.ensureStreams();
    await server.loseStore();
    await publish(6);
    await waitFor(() => second.seen.includes(recordId(6)));
    await waitFor(() => audit.seen.includes(recordId(6)));
    await tasks.close();
  });

  it('cannot use the consumer of another subscriber, nor create one', async () => {
    const { connection, manager } = await managerAs(mirror.user);
    const name = streams.events.name;
    await expect(manager.consumers.info(name, 'subscriber-audit')).rejects.toThrow();
    await expect(manager.consumers.info(streams.ingest.name, 'records')).rejects.toThrow();
    await expect(manager.consumers.add(name, { name: 'spy', filter_subject: 'stechuhr.events.>' })).rejects.toThrow();
    await expect(manager.streams.info(name)).rejects.toThrow();
    expect((await manager.consumers.info(name, `subscriber-${mirror.user}`)).config.filter_subjects).toHaveLength(2);
    // The API of its own account.
    await expect(connection.request(`$JS.API.CONSUMER.INFO.${name}.subscriber-audit`, '', { timeout: 500 })).rejects.toThrow();
  });

  it('cannot have its messages delivered to a subject of the platform', async () => {
    const [{ connection }, { manager }] = await Promise.all([managerAs(mirror.user), managerAs('toolbox')]);
    await publish(7);
    const ingested = async (): Promise<number> => (await manager.streams.info(streams.ingest.name)).state.messages;
    const before = await ingested();
    const [stream, durable] = [`${streams.events.name}_1`, `subscriber-${mirror.user}`];
    for (const reply of [ingestSubject(B, 'account'), 'stechuhr.jobs.export', '_INBOX_records.forged'])
      connection.publish(`${SUBSCRIBER_API}.CONSUMER.MSG.NEXT.${stream}.${durable}`, JSON.stringify({ batch: 1, expires: 1_000_000_000 }), {
        reply,
      });
    await connection.request(`${SUBSCRIBER_API}.CONSUMER.INFO.${stream}.${durable}`, '', { timeout: 5_000 });
    expect(await ingested()).toBe(before);
  });

  it('receives other events after a configuration change, and keeps its position', async () => {
    const [{ manager }, { manager: operator }] = await Promise.all([managerAs('audit'), managerAs('toolbox')]);
    const place = async () => (await manager.consumers.info(streams.events.name, 'subscriber-audit')).delivered.stream_seq;
    const before = await place();
    await prepare({ limits, subscribers: [{ user: 'audit', events: ['records.employee.*'] }] });
    const { config } = await operator.consumers.info(streams.events.name, 'subscriber-audit');
    expect(config.filter_subjects).toEqual(['stechuhr.events.*.records.employee.*']);
    expect(await place()).toBe(before);
  });

  it('that does not exist in NATS yet is logged and blocks neither the upgrade nor other subscribers', async () => {
    const { manager } = await managerAs('toolbox');
    await manager.consumers.delete(streams.events.name, 'subscriber-audit');
    const errors: unknown[] = [];
    const logger = { ...silent, error: (fields: unknown) => void errors.push(fields) };
    await prepare({ limits, subscribers: [{ user: 'unknown', events: ['*.*.*'] }, ...subscribers] }, logger);
    expect(errors).toContainEqual(expect.objectContaining({ stream: streams.events.name, durable: 'subscriber-unknown' }));
    expect((await manager.consumers.info(streams.events.name, 'subscriber-audit')).name).toBe('subscriber-audit');
    await expect(manager.consumers.info(streams.events.name, 'subscriber-unknown')).rejects.toMatchObject({
      code: JetStreamApiCodes.ConsumerNotFound,
    });
  });
});
