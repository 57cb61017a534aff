import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectBus } from '@stechuhr/bus';
import { exportJobSubject, streams, tasksV1 } from '@stechuhr/contracts';
import { newId } from '@stechuhr/kernel';
import { startNats } from '@stechuhr/local-infra';
import { connectMongo, type MongoDb } from '@stechuhr/mongo';
import { createLogger } from '@stechuhr/service';
import { openTcpGate, waitFor, watchSubjects, type SeenMessage, type SubjectWatch } from '@stechuhr/testing';
import { callerOf, present, startTasks, type CallerTasks, type RunningTasks } from './support/running-tasks.js';

const LEASE_MS = 5_000;
const DAY_MS = 86_400_000;
/** Twice the longest pause after a crash. */
const LONGEST_PAUSE_MS = 7_200_000;
const { TaskStatus: Status } = tasksV1;
const logger = createLogger('test', 'fatal');

let tasks: RunningTasks;
let anna: CallerTasks;
let published: SubjectWatch;
let mongo: MongoDb;
beforeAll(async () => {
  tasks = await startTasks();
  anna = tasks.as(callerOf());
  published = await watchSubjects(tasks.servers.natsUrl, 'stechuhr.>');
  mongo = await connectMongo({ url: tasks.servers.mongodbUrl, database: tasks.servers.database('tasks'), logger });
});
afterAll(async () => {
  await mongo.close();
  await published.stop();
  await tasks.stop();
});

async function newTask(): Promise<string> {
  return (await anna.start(newId())).task.id;
}

const isJobOf =
  (taskId: string) =>
  ({ subject, text }: SeenMessage): boolean =>
    subject === exportJobSubject && text.includes(taskId);
/** The number of messages with distinct ids. */
const publicationsOf = (taskId: string): number => published.messages.filter(isJobOf(taskId)).length;
/** The number of messages including those that were published again with the same id. */
const copiesOf = (taskId: string): number => published.all.filter(isJobOf(taskId)).length;

/** Returns the stored task with its outbox, for checks that clients cannot make. */
async function stored(taskId: string): Promise<StoredTask | null> {
  return (await mongo.connection.collection('tasks').findOne({ _id: taskId as never })) as StoredTask | null;
}

interface StoredTask {
  readonly status: string;
  readonly step: string;
  readonly lost_leases: number;
}

describe('a job', () => {
  it('is published when its task starts', async () => {
    const id = await newTask();
    const { text } = await published.next(({ subject, text: body }) => subject === exportJobSubject && body.includes(id));
    expect(JSON.parse(text)).toEqual({ task_id: id, institution_id: expect.any(String) });
  });

  it('is not reported or finished with negative numbers', async () => {
    const id = await newTask();
    const job = present(await tasks.jobs.claim(id));
    const negative = ['Ensure this value is greater than or equal to 0.'];
    await expect(tasks.jobs.report(job, -1, -2)).rejects.toMatchObject({
      code: 'invalid',
      details: { rows_done: negative, rows_estimated: negative },
    });
    await expect(tasks.jobs.finish(job, [], { rows: -1, sizeBytes: -1 })).rejects.toMatchObject({
      code: 'invalid',
      details: { rows: negative, size_bytes: negative },
    });
    expect(await anna.get(id)).toMatchObject({ status: Status.TASK_STATUS_IN_PROGRESS });
    expect(await tasks.jobs.report(job, 0, 0)).toBe(true);
    expect(await tasks.jobs.finish(job, [], { rows: 0, sizeBytes: 0 })).toBe(true);
  });

  it('is claimed by only one of many workers', async () => {
    const id = await newTask();
    const claims = await Promise.all(Array.from({ length: 10 }, () => tasks.jobs.claim(id)));
    expect(claims.filter((job) => job !== undefined)).toHaveLength(1);
  });

  it('is published again when its lease has expired, and the next claim succeeds', async () => {
    const id = await newTask();
    const first = present(await tasks.jobs.claim(id));
    tasks.advance(LEASE_MS);
    await waitFor(() => publicationsOf(id) === 2);
    const second = present(await tasks.jobs.claim(id));
    expect([first.attempt, second.attempt]).toEqual([1, 2]);
    expect(second.file).not.toBe(first.file);
    expect(await tasks.jobs.report(first)).toBe(false);
    expect(await tasks.jobs.finish(first)).toBe(false);
    expect(await tasks.jobs.finish(second)).toBe(true);
    expect(await tasks.jobs.finish(second)).toBe(true);
    expect((await anna.get(id)).result?.file).toBe(second.file);
  });

  it('stays with a worker that reports late if no other worker has claimed it', async () => {
    const id = await newTask();
    const job = present(await tasks.jobs.claim(id));
    tasks.advance(2 * LEASE_MS);
    await waitFor(() => publicationsOf(id) === 2);
    expect(await tasks.jobs.report(job)).toBe(true);
    expect(await tasks.jobs.claim(id)).toBeUndefined();
    expect(await tasks.jobs.finish(job)).toBe(true);
  });

  it('stays with its worker when the database was unavailable for longer than a lease', async () => {
    const { host, searchParams } = new URL(tasks.servers.mongodbUrl);
    const gate = await openTcpGate(host);
    const options = new URLSearchParams({ ...Object.fromEntries(searchParams), directConnection: 'true' });
    const unread = Promise.withResolvers<void>();
    const noticing = createLogger('tasks', 'fatal');
    noticing.warn = (_fields: unknown, message?: string) => void (message === 'what is due cannot be read' && unread.resolve());
    const database = tasks.servers.database('gated');
    const environment = { MONGODB_URL: `mongodb://${gate.address}/?${options}`, MONGODB_DATABASE: database };
    const gated = await tasks.another(environment, noticing);
    const direct = await connectMongo({ url: tasks.servers.mongodbUrl, database, logger });
    const next = async () => direct.connection.collection('tasks').findOne({}, { projection: { step: 1, due_at: 1 } });
    const { task } = await gated.as(callerOf()).start(newId());
    // The service has been reachable for a while.
    tasks.advance(2 * LEASE_MS);
    const job = present(await gated.jobs.claim(task.id));
    const claimed = await next();
    gate.hold('answers');
    await unread.promise;
    tasks.advance(2 * LEASE_MS);
    gate.release();
    const looked = await waitFor(async () => {
      const found = await next();
      return Number(found?.['due_at']) > Number(claimed?.['due_at']) && found;
    });
    expect(looked).toMatchObject({ step: 'expire' });
    // The message may be delivered to another worker now, if NATS was unavailable as well.
    expect(await gated.jobs.claim(task.id)).toBeUndefined();
    expect(await gated.jobs.finish(job)).toBe(true);
    await Promise.all([gated.stop(), direct.close()]);
    await gate.stop();
  });

  it('is published again each time its lease expires, even if its worker reported late in between', async () => {
    const id = await newTask();
    const job = present(await tasks.jobs.claim(id));
    tasks.advance(2 * LEASE_MS);
    await waitFor(() => publicationsOf(id) === 2);
    // A worker that gets the message finds nothing to do and removes it from the queue.
    expect(await tasks.jobs.report(job)).toBe(true);
    tasks.advance(2 * LEASE_MS);
    await waitFor(() => publicationsOf(id) === 3);
    expect(await tasks.jobs.claim(id)).toMatchObject({ attempt: 2 });
  });

  it('is published again when its worker reported late and then gives it back', async () => {
    const id = await newTask();
    const job = present(await tasks.jobs.claim(id));
    tasks.advance(2 * LEASE_MS);
    await waitFor(() => publicationsOf(id) === 2);
    // As above, the message is removed from the queue. A repeated one would be dropped for ten minutes.
    expect(await tasks.jobs.report(job)).toBe(true);
    await tasks.jobs.release(job);
    await waitFor(() => publicationsOf(id) === 3);
    expect(await tasks.jobs.claim(id)).toMatchObject({ attempt: 2 });
  });

  it('that is released is published at once, or after a pause if a dependency is unavailable', async () => {
    const id = await newTask();
    await tasks.jobs.release(present(await tasks.jobs.claim(id)));
    await waitFor(() => publicationsOf(id) === 2);
    await tasks.jobs.release(present(await tasks.jobs.claim(id)), true);
    await waitFor(() => publicationsOf(id) === 3);
    expect(await tasks.jobs.claim(id)).toMatchObject({ attempt: 3 });
  });

  it('is published by another process if its own crashed before publishing it', async () => {
    const id = newId();
    await mongo.connection.collection('tasks').insertOne({ ...(await documentOf(await newTask())), _id: id as never });
    await waitFor(() => publicationsOf(id) === 1);
  });

  it('that no worker claims is published again within a minute, with the same message id', async () => {
    const id = await newTask();
    await waitFor(() => publicationsOf(id) === 1);
    const copies = copiesOf(id);
    tasks.advance(60_000);
    await waitFor(() => copiesOf(id) > copies);
    expect(publicationsOf(id)).toBe(1);
    await tasks.jobs.release(present(await tasks.jobs.claim(id)));
    await waitFor(() => publicationsOf(id) === 2);
  });

  it('that was finished is not published again', async () => {
    const id = await newTask();
    await waitFor(() => publicationsOf(id) === 1);
    await tasks.jobs.finish(present(await tasks.jobs.claim(id)));
    tasks.advance(2 * LEASE_MS);
    const other = await newTask();
    await waitFor(() => publicationsOf(other) === 1);
    expect(publicationsOf(id)).toBe(1);
    expect(await tasks.jobs.claim(id)).toBeUndefined();
  });
});

/** A stored task that is due for publication, with its own fingerprint. */
async function documentOf(taskId: string): Promise<object> {
  return { ...(await stored(taskId)), fingerprint: newId(), step: 'publish', due_at: new Date(), outbox: [] };
}

describe('a job that fails', () => {
  it('four times ends in error, with a dead letter and without files', async () => {
    const id = await newTask();
    let file = '';
    for (let failures = 1; failures <= 4; failures++) {
      const job = present(await tasks.jobs.claim(id));
      file = job.file;
      await tasks.put(file);
      await tasks.jobs.fail(job);
      if (failures < 4) await expect(anna.get(id)).resolves.toMatchObject({ status: Status.TASK_STATUS_IN_PROGRESS });
    }
    await expect(anna.get(id)).rejects.toMatchObject({ code: 'not_found' });
    const { text } = await published.next(({ subject, text: body }) => subject.startsWith('stechuhr.dead.export.') && body.includes(id));
    expect(JSON.parse(text)).toMatchObject({
      subject: exportJobSubject,
      reason: 'It broke.',
      deliveries: 4,
      failed_at: expect.any(String),
    });
    await waitFor(async () => (await tasks.store.stat(file)) === undefined);
  });

  it('ends in error when services have broken the connection to it ten times', async () => {
    const dead = published.next(
      ({ subject, text }) => subject.startsWith('stechuhr.dead.export.') && text.includes('broke the connection'),
    );
    const id = await newTask();
    for (let attempts = 1; attempts <= 10; attempts++) await tasks.jobs.release(present(await tasks.jobs.claim(id)), true, true);
    await expect(anna.get(id)).rejects.toMatchObject({ code: 'not_found' });
    expect((await dead).text).toContain(id);
  });

  it('is tried again after a pause', async () => {
    const id = await newTask();
    await tasks.jobs.fail(present(await tasks.jobs.claim(id)));
    await waitFor(() => publicationsOf(id) === 2);
  });

  it('by losing ten leases ends in error', async () => {
    const id = await newTask();
    for (let leases = 1; leases <= 10; leases++) {
      await waitFor(() => publicationsOf(id) === leases);
      expect(await tasks.jobs.claim(id)).toMatchObject({ attempt: leases });
      tasks.advance(LEASE_MS);
      await waitFor(async () => (await stored(id))?.lost_leases === leases);
      tasks.advance(LONGEST_PAUSE_MS);
    }
    expect(await tasks.jobs.claim(id)).toBeUndefined();
    expect(await stored(id)).toMatchObject({ status: 'error', failure: { cause: 'lost-leases' } });
  });

  it('rests after a lost lease, also if the message of its worker is delivered again', async () => {
    const id = await newTask();
    const [first, second] = [`job:${id}:0:0`, `job:${id}:1:1:late`];
    expect(await tasks.jobs.claim(id, first)).toMatchObject({ attempt: 1 });
    tasks.advance(LEASE_MS);
    await waitFor(async () => (await stored(id))?.lost_leases === 1);
    expect(await tasks.jobs.claim(id, first)).toBeUndefined();
    tasks.advance(LONGEST_PAUSE_MS);
    await published.next(({ headers }) => headers['Nats-Msg-Id'] === second);
    expect(await tasks.jobs.claim(id, second)).toMatchObject({ attempt: 2 });
  });
});

describe('in time', () => {
  it('files are removed after a day and tasks after thirty days', async () => {
    const id = await newTask();
    const job = present(await tasks.jobs.claim(id));
    await tasks.put(job.file);
    await tasks.jobs.finish(job);
    tasks.advance(DAY_MS - 60_000);
    await waitFor(async () => (await stored(id))?.step === 'purge');
    expect(await tasks.store.stat(job.file)).toBeDefined();
    tasks.advance(60_000);
    await waitFor(async () => (await tasks.store.stat(job.file)) === undefined);
    expect(await anna.get(id)).toMatchObject({ status: Status.TASK_STATUS_FINISHED });
    tasks.advance(29 * DAY_MS);
    await waitFor(async () => (await stored(id)) === null);
    await expect(anna.get(id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('a deleted task is removed, with files that a stalled worker stored afterwards', async () => {
    const id = await newTask();
    const job = present(await tasks.jobs.claim(id));
    await anna.delete(id);
    await tasks.put(job.file);
    await waitFor(async () => (await stored(id))?.step === 'remove');
    tasks.advance(3_600_000);
    await waitFor(async () => (await tasks.store.stat(job.file)) === undefined && (await stored(id)) === null);
  });
});

describe('without NATS', () => {
  it('tasks start, and their jobs are published once it is available', async () => {
    const nats = await startNats({ own: true });
    const lonely = await tasks.another({ NATS_URL: nats.address, MONGODB_DATABASE: tasks.servers.database('lonely') });
    await nats.kill();
    const { task } = await lonely.as(callerOf()).start(newId());
    await nats.restart();
    const bus = await connectBus({ servers: nats.address, name: 'test', logger });
    const seen: string[] = [];
    const consumption = bus.consume({
      stream: streams.jobs.name,
      durable: 'test',
      filterSubject: exportJobSubject,
      concurrency: 1,
      maxAttempts: 1,
      deadLetter: 'test',
      handler: async (message) => void seen.push(message.text()),
    });
    await waitFor(() => seen.some((text) => text.includes(task.id)));
    await consumption.stop();
    await bus.close();
    await lonely.stop();
    await nats.stop();
  });
});
