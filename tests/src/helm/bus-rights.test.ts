import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { connect, headers as natsHeaders, PermissionViolationError, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectBus, prepareBus, type Bus, type StreamSettings } from '@stechuhr/bus';
import {
  allStreams,
  deadLetterSubject,
  events,
  eventSubject,
  handedOverKinds,
  handOverSubject,
  ingestSubject,
  partitionedStreams,
  PROVISIONING_LOCK,
  byPartitioned,
  ONE_PARTITION,
  type Layouts,
  MAPPING_PROBE,
  MOST_PARTITIONS,
  streams,
  SUBSCRIBER_API,
  subscriptionsOf,
} from '@stechuhr/contracts';
import { topology } from '@stechuhr/local';
import { waitFor } from '@stechuhr/testing';
import { openChart, SEED } from './chart.js';
import { startChartNats, type ChartNats } from './chart-nats.js';

const A = '0b2f7f1e-6f0a-4c0e-9a55-0d9c5b1d2e3f';
const B = '7d9b0c52-6d0c-4a77-8a0e-5f4ac1f2f6b1';
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const services = topology.filter(({ needs }) => needs.includes('nats')).map(({ name }) => name);
const publishers = { 'erp-a': A, 'payroll-a': A, 'erp-b': B };
const subscribers = [
  { user: 'payroll-mirror', events: ['records.workday.*', 'records.absence.*'], institution: A },
  { user: 'audit', events: ['*.*.*'] },
];
const users = [...services, 'provisioner', 'toolbox', ...Object.keys(publishers), ...subscribers.map(({ user }) => user)];
/** Permissions cover the maximum number of partitions; the tests use two partitions of events. */
const most = byPartitioned(() => ({ partitions: MOST_PARTITIONS, streams: MOST_PARTITIONS }));
const two: Layouts = { events: { partitions: 2, streams: 2 }, handovers: ONE_PARTITION, ingest: ONE_PARTITION };
const ofEvents = partitionedStreams.events;
const ofHandOvers = partitionedStreams.handovers;
const ofLiveObjects = partitionedStreams.ingest;
const MAPPING_PROBE_IN_SLOT = ofLiveObjects.slotSubject(MAPPING_PROBE) ?? '';
const streamNames = allStreams(two);
const reporters = services.filter((service) => events.some(({ type }) => type.startsWith(`${service}.`)));

/** A subject and the users that may use it. */
interface Row {
  readonly subject: string;
  readonly allowed: readonly string[];
}

/** Returns the subjects for dead letters; the second one is that of version 0.2. */
function deadLettersOf(origin: string): string[] {
  return [deadLetterSubject({ origin, institutionId: A, bytes: 1_000, number: 1 }), `stechuhr.dead.${origin}`];
}

/** Users that read the state of a stream, in addition to those that manage it. For events, they read the number of partitions. */
const stateReaders: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(ofLiveObjects.streams(most.ingest).map((name) => [name, ['records']])),
  [streams.events.name]: reporters,
  [streams.handovers.name]: ['records', 'reviews', 'daily-reports'],
};

/** Returns all subjects on which users might try to publish, derived from the tables of the platform. */
function publications(): Row[] {
  const to = (subject: string, ...allowed: string[]): Row => ({ subject, allowed });
  const publishersOf = (institution: string) => Object.entries(publishers).flatMap(([user, own]) => (own === institution ? [user] : []));
  const queued: string[] = [streams.jobs, streams.handovers, streams.deletions].map(({ name }) => name);
  const subscriptions = subscriptionsOf(most);
  const jobs = subscriptions.filter(({ stream }) => queued.includes(stream));
  const origins = new Set(subscriptions.map(({ deadLetter }) => deadLetter));
  const buriers = (origin: string) =>
    subscriptions.flatMap(({ service, stream, publishers: fed, deadLetter }) =>
      deadLetter === origin ? [service, ...(stream === streams.jobs.name ? fed : [])] : [],
    );
  return [
    ...events.map(({ type }) => to(eventSubject(A, type), type.split('.')[0] ?? '', 'toolbox')),
    ...events.map(({ type }) => to(ofEvents.slotSubject(eventSubject(A, type)) ?? '', type.split('.')[0] ?? '')),
    ...ofEvents.streams(most.events).flatMap((name) => [to(name), to(`stechuhr.slots.none.${name}`)]),
    ...[A, B].map((institution) => to(ingestSubject(institution, 'employee'), 'toolbox', ...publishersOf(institution))),
    ...[A, B].map((institution) => to(ofLiveObjects.slotSubject(ingestSubject(institution, 'employee')) ?? '', 'toolbox')),
    ...ofLiveObjects.streams(most.ingest).flatMap((name) => [to(name), to(`stechuhr.ingest-slots.none.${name}`)]),
    ...[MAPPING_PROBE, MAPPING_PROBE_IN_SLOT].map((subject) => to(subject, 'provisioner', 'toolbox')),
    ...jobs.map(({ filterSubject, publishers: fed }) => to(filterSubject.replace('*', A), 'toolbox', ...fed)),
    ...handedOverKinds.map((kind) => to(ofHandOvers.slotSubject(handOverSubject(A, kind)) ?? '', 'records')),
    ...ofHandOvers.streams(most.handovers).flatMap((name) => [to(name), to(`stechuhr.handover-slots.none.${name}`)]),
    ...[...origins].flatMap((origin) => deadLettersOf(origin).map((subject) => to(subject, 'toolbox', ...buriers(origin)))),
    ...['INFO', 'ACCOUNT.INFO', 'STREAM.NAMES', 'STREAM.LIST'].map((verb) => to(`$JS.API.${verb}`)),
    ...allStreams(most).flatMap((name) => [
      to(`$JS.API.STREAM.INFO.${name}`, 'provisioner', 'toolbox', ...(stateReaders[name] ?? [])),
      ...['CREATE', 'UPDATE'].map((verb) => to(`$JS.API.STREAM.${verb}.${name}`, 'provisioner')),
      ...['MSG.GET', 'MSG.DELETE'].map((verb) => to(`$JS.API.STREAM.${verb}.${name}`, 'toolbox')),
      ...['DELETE', 'PURGE', 'SNAPSHOT', 'RESTORE', 'PEER.REMOVE', 'LEADER.STEPDOWN'].map((verb) => to(`$JS.API.STREAM.${verb}.${name}`)),
      ...['CONSUMER.NAMES', 'DIRECT.GET'].map((verb) => to(`$JS.API.${verb}.${name}`)),
      to(`$JS.API.CONSUMER.LIST.${name}`, 'toolbox'),
      to(`$JS.API.CONSUMER.CREATE.${name}`, 'toolbox'),
      to(`$JS.API.CONSUMER.CREATE.${name}.spy.>`, 'toolbox'),
    ]),
    to(`$JS.API.CONSUMER.CREATE.${streams.events.name}.${PROVISIONING_LOCK}.stechuhr.events.>`, 'provisioner', 'toolbox'),
    to(`$JS.API.CONSUMER.DELETE.${streams.events.name}.${PROVISIONING_LOCK}`, 'provisioner', 'toolbox'),
    to('$JS.API.STREAM.CREATE.SPY'),
    to('$JS.API.STREAM.UPDATE.SPY'),
    ...subscriptions.flatMap(({ service, stream, durable, filterSubject }) => [
      to(`$JS.API.CONSUMER.INFO.${stream}.${durable}`, service, 'provisioner', 'toolbox'),
      to(`$JS.API.CONSUMER.MSG.NEXT.${stream}.${durable}`, service, 'toolbox'),
      to(`$JS.ACK.${stream}.${durable}.1.1.1.1.0`, service),
      to(`$JS.API.CONSUMER.CREATE.${stream}.${durable}.${filterSubject}`, 'provisioner', 'toolbox'),
      to(`$JS.API.CONSUMER.DURABLE.CREATE.${stream}.${durable}`),
      to(`$JS.API.CONSUMER.DELETE.${stream}.${durable}`, 'provisioner', 'toolbox'),
      to(`$JS.API.CONSUMER.PAUSE.${stream}.${durable}`),
    ]),
    ...subscribers.flatMap(({ user }) =>
      ofEvents.streams(two.events).flatMap((stream) => ofSubscriber(user, `${stream}.subscriber-${user}`)),
    ),
    ...users.map((user) => to(`_INBOX_${user}.forged`)),
    ...['_INBOX.forged', '_R_.forged', '$SYS.REQ.SERVER.PING', 'elsewhere'].map((subject) => to(subject)),
  ];
}

/** Returns the subjects with which a subscriber reads from its own consumer. */
function ofSubscriber(user: string, consumer: string): Row[] {
  const to = (subject: string, ...allowed: string[]): Row => ({ subject, allowed });
  return [
    ...['INFO', 'MSG.NEXT'].map((verb) => to(`${SUBSCRIBER_API}.CONSUMER.${verb}.${consumer}`, user)),
    ...['DURABLE.CREATE', 'DELETE', 'PAUSE'].map((verb) => to(`${SUBSCRIBER_API}.CONSUMER.${verb}.${consumer}`)),
    to(`${SUBSCRIBER_API}.STREAM.INFO.${streams.events.name}`),
    to(`$JS.ACK.${consumer}.1.1.1.1.0`, user),
    ...['INFO', 'DELETE'].map((verb) => to(`$JS.API.CONSUMER.${verb}.${consumer}`, 'provisioner', 'toolbox')),
    ...['CREATE', 'MSG.NEXT'].map((verb) => to(`$JS.API.CONSUMER.${verb}.${consumer}`, 'toolbox')),
    to(`$JS.API.CONSUMER.DURABLE.CREATE.${consumer}`, 'provisioner'),
    to(`$JS.API.CONSUMER.PAUSE.${consumer}`),
  ];
}

/** Returns all subjects to which users might try to subscribe. */
function subscriptionAttempts(): Row[] {
  const all = ['>', '*.>', '_INBOX.>', '_INBOX_*.>', '_R_.>', '$JS.>', '$JS.API.>', '$JS.ACK.>', '$JS.EVENT.>', '$SYS.>', 'stechuhr.>'];
  const own = [
    ...Object.values(streams).flatMap(({ subjects }) => subjects),
    'stechuhr.slots.>',
    'stechuhr.handover-slots.>',
    'stechuhr.ingest-slots.>',
  ];
  return [
    ...users.map((user) => ({ subject: `_INBOX_${user}.>`, allowed: [user] })),
    { subject: MAPPING_PROBE_IN_SLOT, allowed: ['provisioner', 'toolbox'] },
    ...[...all, ...own, ingestSubject(A, '>'), ingestSubject(B, '>')].map((subject) => ({ subject, allowed: [] })),
  ];
}

/** Returns the subject whose right the server checks: in the account of the platform, live objects have got their slot before. */
function checkedFor(user: string, subject: string): string {
  return Object.hasOwn(publishers, user) ? subject : (ofLiveObjects.slotSubject(subject) ?? subject);
}

let server: ChartNats;
let operator: JetStreamManager;
const connections: NatsConnection[] = [];

async function connectAs(user: string): Promise<NatsConnection> {
  const { username, password, host } = new URL(server.urlOf(user));
  const connection = await connect({ servers: host, user: username, pass: password, inboxPrefix: `_INBOX_${username}`, timeout: 5_000 });
  connections.push(connection);
  return connection;
}

/**
 * Runs attempts and returns the subjects that the server rejected. The last attempt is always rejected, which shows that all results have
 * arrived.
 */
async function refusals(connection: NatsConnection, operation: 'publish' | 'subscription', tries: () => void): Promise<Set<string>> {
  const refused = new Set<string>();
  const statuses = connection.status();
  tries();
  if (operation === 'publish') connection.publish('the.end');
  else connection.subscribe('the.end', { callback: () => {} });
  for await (const status of statuses) {
    if (status.type !== 'error' || !(status.error instanceof PermissionViolationError) || status.error.operation !== operation) continue;
    if (status.error.subject === 'the.end') break;
    refused.add(status.error.subject);
  }
  return refused;
}

const settings: StreamSettings = { limits: new Map(), partitions: { events: 2 } };

beforeAll(async () => {
  const chart = await openChart();
  const listed = Object.entries(publishers).map(([user, institution]) => ({ user, institution }));
  server = await startChartNats(
    await chart.render({ infrastructure: { enabled: true, seed: SEED }, nats: { publishers: listed, subscribers } }),
  );
  await chart.close();
  await prepareBus({ servers: server.urlOf('tasks'), provisioning: server.urlOf('provisioner'), name: 'test', logger: silent, settings });
  operator = await jetstreamManager(await connectAs('toolbox'), { checkAPI: false });
});

afterAll(async () => {
  await Promise.all(connections.map((connection) => connection.close()));
  await server.stop();
});

describe('rights on the bus', () => {
  it.each(users)('let %s publish only as defined in the tables', async (user) => {
    const rows = publications();
    const connection = await connectAs(user);
    const refused = await refusals(connection, 'publish', () => rows.forEach(({ subject }) => connection.publish(subject, 'probe')));
    const may = rows.map(({ subject }) => subject).filter((subject) => !refused.has(checkedFor(user, subject)));
    expect(may.sort()).toEqual(rows.flatMap(({ subject, allowed }) => (allowed.includes(user) ? [subject] : [])).sort());
    await connection.close();
  });

  it.each(users)('let %s subscribe only to its own replies', async (user) => {
    const rows = subscriptionAttempts();
    const connection = await connectAs(user);
    const refused = await refusals(connection, 'subscription', () =>
      rows.forEach(({ subject }) => connection.subscribe(subject, { callback: () => {} })),
    );
    const may = rows.map(({ subject }) => subject).filter((subject) => !refused.has(subject));
    expect(may).toEqual(rows.flatMap(({ subject, allowed }) => (allowed.includes(user) ? [subject] : [])));
    await connection.close();
  });
});

/** Sends a request to the JetStream API. @returns the response; undefined if there is none */
async function ask(connection: NatsConnection, verb: string, body: object): Promise<unknown> {
  return connection.request(`$JS.API.${verb}`, JSON.stringify(body), { timeout: 300 }).then(
    (answer) => answer.json(),
    () => undefined,
  );
}

describe('a compromised service', () => {
  it.each(services)('%s cannot copy, purge or delete a stream', async (service) => {
    const connection = await connectAs(service);
    const { name } = streams.ingest;
    const before = (await operator.streams.info(name)).config;
    const changes = { republish: { src: '>', dest: `stechuhr.events.${A}.${service}.copied` }, max_age: 1_000_000_000 };
    for (const [field, value] of Object.entries(changes))
      expect(await ask(connection, `STREAM.UPDATE.${name}`, { ...before, [field]: value })).toBeUndefined();
    for (const verb of ['PURGE', 'DELETE']) expect(await ask(connection, `STREAM.${verb}.${name}`, {})).toBeUndefined();
    expect((await operator.streams.info(name)).config).toEqual(before);
  });

  it.each(services)('%s cannot make a consumer deliver messages to a foreign subject', async (service) => {
    const connection = await connectAs(service);
    const subscriptions = subscriptionsOf(two);
    const config = { deliver_subject: ingestSubject(B, 'account'), ack_policy: 'none', deliver_policy: 'all' };
    for (const { stream, durable, filterSubject } of subscriptions) {
      const own = { ...config, durable_name: durable, filter_subject: filterSubject };
      expect(
        await ask(connection, `CONSUMER.CREATE.${stream}.${durable}.${filterSubject}`, { stream_name: stream, config: own }),
      ).toBeUndefined();
      expect(await ask(connection, `CONSUMER.DURABLE.CREATE.${stream}.${durable}`, { stream_name: stream, config: own })).toBeUndefined();
    }
    for (const stream of streamNames) {
      expect(await ask(connection, `CONSUMER.CREATE.${stream}`, { stream_name: stream, config })).toBeUndefined();
      const spy = { ...config, name: 'spy' };
      expect(await ask(connection, `CONSUMER.CREATE.${stream}.spy`, { stream_name: stream, config: spy })).toBeUndefined();
    }
    for (const { stream, durable } of subscriptions)
      expect((await operator.consumers.info(stream, durable)).config.deliver_subject).toBeUndefined();
  });
});

describe('a publisher of an institution', () => {
  const messagesOf = async (name: string): Promise<number> => (await operator.streams.info(name)).state.last_seq;

  function runPublisher() {
    const { username, password, host } = new URL(server.urlOf('erp-a'));
    const env = { PATH: process.env['PATH'], NATS_URL: host, NATS_USER: username, NATS_PASSWORD: password };
    const file = join(fileURLToPath(new URL('../../..', import.meta.url)), 'docs/publisher.mjs');
    return spawn(process.execPath, [file], { env, stdio: ['pipe', 'ignore', 'pipe'] });
  }

  it('receives acknowledgements, and can publish only for its institution', async () => {
    const connection = await connectAs('erp-a');
    const { name } = streams.ingest;
    const before = await messagesOf(name);
    const answer = await connection.request(ingestSubject(A, 'employee'), '{}');
    expect(answer.json()).toMatchObject({ stream: name, seq: before + 1 });
    await expect(connection.request(ingestSubject(B, 'employee'), '{}', { timeout: 300 })).rejects.toThrow();
    expect(await messagesOf(name)).toBe(before + 1);
  });

  it('sends the lines of a file with docs/publisher.mjs, in order for each record', async () => {
    const { name } = streams.ingest;
    const before = await messagesOf(name);
    const lines = Array.from({ length: 300 }, (_, n) =>
      JSON.stringify({
        kind: 'employee',
        id: `00000000-0000-4000-8000-0000000000${String(n % 7).padStart(2, '0')}`,
        institution_id: A,
        number: n,
      }),
    );
    const child = runPublisher();
    child.stderr.pipe(process.stderr);
    // Imports skip blank lines, too.
    child.stdin.end(`${lines.join('\n\n')}\n`);
    expect(await once(child, 'exit')).toEqual([0, null]);
    const stored: string[] = [];
    for (let seq = before + 1; seq <= (await messagesOf(name)); seq++)
      stored.push((await operator.streams.getMessage(name, { seq }))?.string() ?? '');
    expect(stored.toSorted()).toEqual(lines.toSorted());
    const numbersOf = (of: readonly string[]) =>
      Map.groupBy(
        of.map((line) => JSON.parse(line) as { id: string; number: number }),
        ({ id }) => id,
      );
    // Lines of the same record keep their order.
    expect([...numbersOf(stored)].toSorted()).toEqual([...numbersOf(lines)].toSorted());
  });

  it.each([
    ['is larger than the server accepts', { institution_id: A, first_name: 'x'.repeat(1_100_000) }, 'max_payload'],
    ['belongs to another institution', { institution_id: B }, 'Permissions Violation'],
  ])('ends docs/publisher.mjs with the record when it %s', async (_reason, fields, problem) => {
    const id = '00000000-0000-4000-8000-000000000099';
    const child = runPublisher();
    const errors: string[] = [];
    child.stderr.setEncoding('utf8').on('data', (text: string) => errors.push(text));
    child.stdin.end(`${JSON.stringify({ kind: 'employee', id, ...fields })}\n`);
    const signal = AbortSignal.timeout(20_000);
    expect(await once(child, 'close', { signal }).finally(() => child.kill())).toEqual([1, null]);
    expect(errors.join('')).toContain(`employee ${id}`);
    expect(errors.join('')).toContain(problem);
  });

  it('cannot use a subject of the platform or of another publisher for replies', async () => {
    const connection = await connectAs('erp-a');
    const [others, ours] = await Promise.all([connectAs('erp-b'), connectAs('records')]);
    const heard: string[] = [];
    const callback = (_error: unknown, { subject }: { subject: string }) => void heard.push(subject);
    others.subscribe('_INBOX_erp-b.>', { callback });
    ours.subscribe('_INBOX_records.>', { callback });
    await Promise.all([others.flush(), ours.flush()]);
    const stored = async () => Promise.all(streamNames.map(async (name) => [name, await messagesOf(name)] as const));
    const before = new Map(await stored());
    const replies = [
      ingestSubject(B, 'account'),
      ingestSubject(A, 'account'),
      eventSubject(B, 'records.employee.deleted'),
      'stechuhr.jobs.export',
      ...deadLettersOf('ingest'),
      '$JS.API.STREAM.PURGE.STECHUHR_INGEST',
      '_INBOX_records.forged',
      '_INBOX_erp-b.forged',
    ];
    for (const reply of replies) connection.publish(ingestSubject(A, 'employee'), '{}', { reply });
    // The acknowledgement of the last message arrives after those of the others.
    await connection.request(ingestSubject(A, 'employee'), '{}');
    await Promise.all([others.flush(), ours.flush()]);
    expect(heard).toEqual([]);
    // A reply subject that looks like an object of its institution is a message of its own account, and is handled like any other.
    const arrived = new Map(await stored());
    for (const name of streamNames.filter((each) => each !== streams.ingest.name)) expect(arrived.get(name)).toBe(before.get(name));
    const first = (before.get(streams.ingest.name) ?? 0) + 1;
    const last = arrived.get(streams.ingest.name) ?? 0;
    expect(last).toBeGreaterThanOrEqual(first + replies.length);
    for (let seq = first; seq <= last; seq++) {
      const message = await operator.streams.getMessage(streams.ingest.name, { seq });
      expect(message?.subject).toMatch(new RegExp(`^stechuhr\\.ingest\\.${A}\\.`));
    }
  });

  // Message ids are unique per stream, not per institution.
  it('cannot suppress an object of another institution by using its message id before', async () => {
    const [ours, others] = await Promise.all([connectAs('erp-a'), connectAs('erp-b')]);
    const id = { headers: natsHeaders() };
    id.headers.set('Nats-Msg-Id', 'order-4711');
    const first = await ours.request(ingestSubject(A, 'employee'), '{}', { ...id, timeout: 5_000 });
    expect(first.json()).not.toHaveProperty('duplicate');
    // The deduplication window of a server is at least a tenth of a second.
    await waitFor(async () => {
      const second = await others.request(ingestSubject(B, 'employee'), '{}', { ...id, timeout: 5_000 });
      return second.json<{ duplicate?: boolean }>().duplicate !== true;
    });
  });

  it('cannot use JetStream in its own account', async () => {
    const connection = await connectAs('erp-a');
    expect(await ask(connection, 'INFO', {})).toBeUndefined();
  });
});

describe('a server that has lost its store', () => {
  it('gets its streams and consumers back from the service that may create them; the others continue', async () => {
    const opened = (user: string, provisioning?: string): Promise<Bus> =>
      connectBus({ servers: server.urlOf(user), provisioning, name: user, logger: silent });
    const tasks = await opened('tasks', server.urlOf('provisioner'));
    await tasks.ensureStreams();
    const records = await opened('records');
    await records.ensureStreams();
    const sequences: number[] = [];
    const consumption = records.consume({
      ...{ stream: streams.ingest.name, durable: 'records', filterSubject: 'stechuhr.ingest.>' },
      ...{ concurrency: 1, maxAttempts: 1, deadLetter: 'ingest' },
      handler: async ({ streamSequence }) => void sequences.push(streamSequence),
    });
    const erp = await opened('erp-a');
    const send = (text: string) =>
      erp.publish(ingestSubject(A, 'employee'), text).then(
        () => true,
        () => false,
      );
    await waitFor(() => send('before'));
    const before = await waitFor(() => sequences.at(-1));
    await server.loseStore();
    await waitFor(() => send('after'));
    expect(await waitFor(() => sequences.find((sequence) => sequence > before))).toBeDefined();
    await consumption.stop();
    await Promise.all([tasks, records, erp].map((bus) => bus.close()));
  });
});
