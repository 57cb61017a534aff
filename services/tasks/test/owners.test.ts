import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { connectBus, createEvent, subjectOf } from '@stechuhr/bus';
import { cloudEventSchema, commonV1, events as catalogue, tasksV1 } from '@stechuhr/contracts';
import { newId } from '@stechuhr/kernel';
import { connectMongo } from '@stechuhr/mongo';
import { createLogger } from '@stechuhr/service';
import { judgeOutOfBounds, openTcpGate, OUT_OF_BOUNDS, ownTime, untilAvailable, waitFor, watchSubjects } from '@stechuhr/testing';
import { callerOf, present, startTasks, type CallerTasks, type RunningTasks } from './support/running-tasks.js';

const HOUR_MS = 3_600_000;
const { TaskStatus: Status } = tasksV1;
const NOT_FOUND = { code: 'not_found' };

let tasks: RunningTasks;
let institutionId: string;
let anna: CallerTasks;
beforeAll(async () => {
  tasks = await startTasks();
});
afterAll(() => tasks.stop());
beforeEach(() => {
  institutionId = newId();
  anna = tasks.as(callerOf(institutionId));
});

/** The same account, which has become a department leader. */
function narrowed(caller: commonV1.Caller): commonV1.Caller {
  return { ...caller, visibility: { role: commonV1.Role.ROLE_DEPARTMENT_LEADER, departmentIds: [newId()], projects: undefined } };
}

/** Creates a task of the owner with a file in the store. */
async function finishedTask(owner: CallerTasks, text = 'a;b\r\n') {
  const { task } = await owner.start(newId());
  const job = present(await tasks.jobs.claim(task.id));
  await tasks.put(job.file, text);
  await tasks.jobs.finish(job, [{ id: newId(), name: 'Anna Abel', reason: 'archived' }]);
  return { id: task.id, file: job.file };
}

const find = async (owner: CallerTasks, id: string) => (await owner.list({ ids: id })).tasks[0];

describe('an export', () => {
  it('is started once by concurrent identical requests through several processes', async () => {
    const caller = callerOf();
    const other = await tasks.another();
    const fingerprint = newId();
    const owners = [tasks.as(caller), other.as(caller)];
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) => untilAvailable(() => present(owners[n % 2]).start(fingerprint))),
    );
    expect(new Set(answers.map(({ task }) => task.id)).size).toBe(1);
    expect(answers.filter(({ started }) => started)).toHaveLength(1);
    await other.stop();
  });

  it('starts without a file and an end', async () => {
    const before = Date.now() / 1_000;
    const { task } = await anna.start('begins');
    expect(task).toEqual({
      id: expect.any(String),
      createdAt: expect.any(Number),
      finishedAt: undefined,
      status: Status.TASK_STATUS_CREATED,
      target: undefined,
      skipped: 3,
    });
    expect([task.createdAt >= Math.floor(before), task.createdAt <= Date.now() / 1_000]).toEqual([true, true]);
    expect(await anna.find('begins')).toEqual(task);
  });

  it('is started again after twelve hours, and the old task stays', async () => {
    const first = await anna.start('window');
    tasks.advance(12 * HOUR_MS - 60_000);
    expect((await anna.start('window')).task.id).toBe(first.task.id);
    tasks.advance(120_000);
    expect(await anna.find('window')).toBeUndefined();
    const answers = await Promise.all(Array.from({ length: 20 }, () => anna.start('window')));
    const ids = new Set(answers.map(({ task }) => task.id));
    expect(ids.size).toBe(1);
    expect(ids).not.toContain(first.task.id);
    expect(await find(anna, first.task.id)).toMatchObject({ id: first.task.id });
  });

  it('does not show left-out employees to an account that sees less than before', async () => {
    const caller = callerOf(institutionId);
    const { id } = await finishedTask(tasks.as(caller));
    const seen = async (by: commonV1.Caller) => (await find(tasks.as(by), id))?.result?.skipped;
    expect(await seen(caller)).toEqual([expect.objectContaining({ name: 'Anna Abel' })]);
    expect(await seen(narrowed(caller))).toEqual([]);
    expect((await tasks.as(narrowed(caller)).get(id)).result?.skipped).toEqual([]);
  });

  it('offers its file for twelve hours', async () => {
    const { id } = await finishedTask(anna, 'name;hours\r\n');
    const targetOf = async () => (await anna.find(fingerprint))?.target;
    const fingerprint = newId();
    const { task } = await anna.start(fingerprint);
    const job = present(await tasks.jobs.claim(task.id));
    await tasks.put(job.file, 'x');
    await tasks.jobs.finish(job);
    const response = await fetch(present(await targetOf()));
    expect(await response.text()).toBe('x');
    expect(response.headers.get('content-disposition')).toContain('generic-2026-03-01-2026-03-31.csv');
    expect(new URL(present(await targetOf())).searchParams.get('X-Amz-Expires')).toMatch(/^43(200|1\d\d)$/);
    tasks.advance(11 * HOUR_MS);
    expect(Number(new URL(present(await targetOf())).searchParams.get('X-Amz-Expires'))).toBeLessThanOrEqual(3_600);
    expect(await find(anna, id)).toMatchObject({ status: Status.TASK_STATUS_FINISHED });
  });
});

describe('a task', () => {
  it('is deleted with its account, even if the clock of the records service is behind', async () => {
    const caller = callerOf(institutionId);
    const owner = tasks.as(caller);
    await owner.start(newId());
    const bus = await connectBus({ servers: tasks.servers.natsUrl, name: 'records', logger: createLogger('records', 'fatal') });
    const clock = { now: () => Date.now() - 600_000 };
    const deletion = createEvent({ type: 'records.account.deleted', institutionId, data: { id: caller.accountId }, clock });
    await bus.publish(subjectOf(deletion), JSON.stringify(deletion));
    await waitFor(async () => (await owner.list()).count === 0 || undefined);
    await bus.close();
  });

  it('does not name deleted employees, even if its job had read them before', async () => {
    const gone = { id: newId(), name: 'Anna Abel', reason: 'archived' };
    const [ended, running] = await Promise.all([anna.start(newId()), anna.start(newId()), anna.start(newId())]);
    const [first, second] = [present(await tasks.jobs.claim(ended.task.id)), present(await tasks.jobs.claim(running.task.id))];
    await tasks.jobs.finish(first, [gone]);
    const bus = await connectBus({ servers: tasks.servers.natsUrl, name: 'records', logger: createLogger('records', 'fatal') });
    const clock = { now: () => Date.now() };
    const deletion = createEvent({ type: 'records.employee.deleted', institutionId, data: { id: gone.id }, clock });
    await bus.publish(subjectOf(deletion), JSON.stringify(deletion));
    const named = async (id: string) => (await anna.get(id)).result?.skipped.map(({ name }) => name);
    await waitFor(async () => (await named(ended.task.id))?.length === 0);
    const kept = { ...gone, id: newId(), name: 'Berta Braun' };
    expect(await tasks.jobs.finish(second, [gone, kept])).toBe(true);
    expect(await named(running.task.id)).toEqual(['Berta Braun']);
    const { mongodbUrl: url, database } = tasks.servers;
    const mongo = await connectMongo({ url, database: database('tasks'), logger: createLogger('tests', 'fatal') });
    const stored = await mongo.connection.collection('tasks').find({ institution_id: institutionId }).toArray();
    expect(JSON.stringify(stored)).not.toContain(gone.id);
    await mongo.close();
    await bus.close();
  });

  it('shows each of its states', async () => {
    const { task } = await anna.start('life');
    expect(await anna.get(task.id)).toEqual({
      id: task.id,
      status: Status.TASK_STATUS_CREATED,
      label: 'Export generic',
      description: undefined,
      action: 'generic_export',
      createdAt: task.createdAt,
      startedAt: undefined,
      finishedAt: undefined,
      result: undefined,
    });
    const job = present(await tasks.jobs.claim(task.id));
    await tasks.jobs.report(job, 5, 20);
    const running = { status: Status.TASK_STATUS_IN_PROGRESS, startedAt: expect.any(Number), description: '5 von etwa 20 Zeilen' };
    expect(await anna.get(task.id.toUpperCase())).toMatchObject(running);
    const skipped = [{ id: newId(), name: 'Anna Abel', reason: 'archived' }];
    await tasks.jobs.finish(job, skipped);
    expect(await anna.get(task.id)).toMatchObject({
      status: Status.TASK_STATUS_FINISHED,
      finishedAt: expect.any(Number),
      description: '12 Zeilen',
      result: { file: job.file, skipped },
    });
  });

  it('exists only for its owner', async () => {
    const { id } = await finishedTask(anna);
    for (const stranger of [tasks.as(callerOf(institutionId)), tasks.as(callerOf())]) {
      expect(await stranger.list()).toEqual({ count: 0, tasks: [] });
      expect(await stranger.list({ ids: id })).toEqual({ count: 0, tasks: [] });
      await expect(stranger.get(id)).rejects.toMatchObject(NOT_FOUND);
      await expect(stranger.delete(id)).rejects.toMatchObject(NOT_FOUND);
    }
    const [bernd, carla] = [tasks.as(callerOf(institutionId)), tasks.as(callerOf())];
    await anna.start('theirs');
    expect(await Promise.all([bernd.find('theirs'), carla.find('theirs')])).toEqual([undefined, undefined]);
  });

  it.each(['x', newId()])('that does not exist is not found: %s', async (id) => {
    await expect(anna.get(id)).rejects.toMatchObject(NOT_FOUND);
    await expect(anna.delete(id)).rejects.toMatchObject(NOT_FOUND);
  });

  it('in error is hidden, answers identical requests, and can be deleted to start again', async () => {
    const { task } = await anna.start('fails');
    await tasks.jobs.fail(present(await tasks.jobs.claim(task.id)), true);
    expect(await anna.start('fails')).toMatchObject({
      task: { id: task.id, status: Status.TASK_STATUS_ERROR, target: undefined, finishedAt: undefined },
      started: false,
    });
    await expect(anna.get(task.id)).rejects.toMatchObject(NOT_FOUND);
    expect(await anna.list()).toEqual({ count: 0, tasks: [] });
    await anna.delete(task.id);
    expect((await anna.start('fails')).task.id).not.toBe(task.id);
  });
});

describe('the list', () => {
  it('is paginated, newest first by default, and can be sorted and filtered by id', async () => {
    const started: string[] = [];
    for (let n = 0; n < 5; n++) {
      started.push((await anna.start(newId())).task.id);
      tasks.advance(1_000);
    }
    const newest = started.toReversed();
    const idsOf = ({ count, tasks: listed }: Awaited<ReturnType<CallerTasks['list']>>) => [count, listed.map(({ id }) => id)];
    expect(idsOf(await anna.list())).toEqual([5, newest]);
    expect(idsOf(await anna.list({ order: '-created_at' }))).toEqual([5, newest]);
    expect(idsOf(await anna.list({ order: 'created_at' }))).toEqual([5, started]);
    expect(idsOf(await anna.list({}, { limit: 2, offset: 2 }))).toEqual([5, newest.slice(2, 4)]);
    expect(idsOf(await anna.list({}, { offset: 9 }))).toEqual([5, []]);
    expect(idsOf(await anna.list({ ids: `${started[1]}|x|${newId()}|${started[3]?.toUpperCase()}` }))).toEqual([
      2,
      [started[3], started[1]],
    ]);
    expect(idsOf(await anna.list({ ids: 'x' }))).toEqual([0, []]);
    expect(idsOf(await anna.list({ ids: '|' }))).toEqual([0, []]);
    expect(idsOf(await anna.list({ ids: '' }))).toEqual([5, newest]);
  });

  it('is sent to four readers of an institution at a time', async () => {
    // Each task has two megabytes, more than a connection takes in for a reader that waits.
    const skipped = Array.from({ length: 2_000 }, () => ({ id: newId(), name: 'A'.repeat(1_000), reason: 'archived' }));
    for (let n = 0; n < 3; n += 1) {
      const { task } = await anna.start(newId());
      await tasks.jobs.finish(present(await tasks.jobs.claim(task.id)), skipped);
    }
    const unread = Array.from({ length: 4 }, () => anna.read());
    const count = { value: { part: { $case: 'count', value: 3 } } };
    for (const first of await Promise.all(unread.map((list) => list.next()))) expect(first).toMatchObject(count);
    let hasBegun = false;
    const fifth = anna.read();
    const begins = fifth.next().finally(() => (hasBegun = true));
    expect(await tasks.as(callerOf()).list()).toEqual({ count: 0, tasks: [] });
    expect(hasBegun).toBe(false);
    await unread[0]?.return();
    expect(await begins).toMatchObject(count);
    await Promise.all([...unread, fifth].map((list) => list.return()));
  });

  it('rejects pages outside of its bounds', async () => {
    expect(await judgeOutOfBounds((page) => anna.list({}, page))).toEqual(OUT_OF_BOUNDS);
  });

  it('rejects other orders', async () => {
    await expect(anna.list({ order: 'label|-created_at' })).rejects.toMatchObject({
      code: 'invalid',
      details: { $query: ['"label" is not a valid ordering field.'] },
    });
  });
});

describe('deletion', () => {
  it('removes the file before it returns, so that earlier addresses stop working', async () => {
    const fingerprint = newId();
    const { task } = await anna.start(fingerprint);
    const job = present(await tasks.jobs.claim(task.id));
    await tasks.put(job.file, 'x');
    await tasks.jobs.finish(job);
    const target = present((await anna.find(fingerprint))?.target);
    expect((await fetch(target)).status).toBe(200);
    await anna.delete(task.id);
    expect((await fetch(target)).status).toBe(404);
    expect(await anna.find(fingerprint)).toBeUndefined();
    await expect(anna.get(task.id)).rejects.toMatchObject(NOT_FOUND);
    await expect(anna.delete(task.id)).rejects.toMatchObject(NOT_FOUND);
    expect((await anna.start(fingerprint)).started).toBe(true);
  });

  it('does not wait for an unavailable store, and removes the file once it is available', async () => {
    const { id, file } = await finishedTask(anna);
    await tasks.s3.kill();
    await anna.delete(id);
    await tasks.s3.restart();
    expect(await tasks.store.stat(file)).toBeDefined();
    await waitFor(async () => (await tasks.store.stat(file)) === undefined);
  });

  it('does not wait for a store that hangs', async () => {
    const { protocol, host } = new URL(tasks.s3.address.endpoint);
    const gate = await openTcpGate(host);
    const other = await tasks.another({ S3_ENDPOINT: `${protocol}//${gate.address}`, S3_PUBLIC_ENDPOINT: tasks.s3.address.endpoint });
    const caller = callerOf(institutionId);
    const { id } = await finishedTask(tasks.as(caller));
    gate.hold('answers');
    expect(await ownTime(() => other.as(caller).delete(id))).toBeLessThan(5_000);
    await expect(tasks.as(caller).get(id)).rejects.toMatchObject(NOT_FOUND);
    await gate.stop();
    await other.stop();
  });

  it('is reported to its worker', async () => {
    const { task } = await anna.start(newId());
    const job = present(await tasks.jobs.claim(task.id));
    await anna.delete(task.id);
    expect(await tasks.jobs.report(job)).toBe(false);
    expect(await tasks.jobs.finish(job)).toBe(false);
    expect(await tasks.jobs.claim(task.id)).toBeUndefined();
  });
});

describe('a finished task', () => {
  it('ends in error if the store has lost its file, and the same request starts a new task', async () => {
    const fingerprint = newId();
    const { task } = await anna.start(fingerprint);
    const job = present(await tasks.jobs.claim(task.id));
    await tasks.jobs.finish(job);
    expect((await anna.find(fingerprint))?.target).toBeDefined();
    await tasks.store.remove(job.file);
    await expect(anna.get(task.id)).rejects.toMatchObject(NOT_FOUND);
    expect(await anna.find(fingerprint)).toBeUndefined();
    expect((await anna.start(fingerprint)).started).toBe(true);
  });
});

describe('events', () => {
  it('publish the states of a task, as the event catalogue describes', async () => {
    const watch = await watchSubjects(tasks.servers.natsUrl, `stechuhr.events.${institutionId}.tasks.>`);
    const { task } = await anna.start('events');
    const job = present(await tasks.jobs.claim(task.id));
    await tasks.jobs.report(job, 5, 20);
    await tasks.jobs.finish(job);
    await anna.delete(task.id);
    const { task: failing } = await anna.start('events');
    await tasks.jobs.fail(present(await tasks.jobs.claim(failing.id)), true);
    const seen = await waitFor(() => watch.messages.length >= 8 && watch.messages);
    const events = seen.map(({ text }) => cloudEventSchema.parse(JSON.parse(text)));
    const typesOf = (id: string) => events.filter(({ subject }) => subject === id).map(({ type }) => type.split('.')[3]);
    expect(typesOf(task.id)).toEqual(['created', 'started', 'progressed', 'finished', 'deleted']);
    expect(typesOf(failing.id)).toEqual(['created', 'started', 'failed']);
    for (const { type, data } of events) {
      const definition = catalogue.find((known) => `stechuhr.${known.type}.v1` === type);
      expect(definition?.data.safeParse(data).error).toBeUndefined();
    }
    await watch.stop();
  });
});

describe('a job', () => {
  it('contains the visibility of its request', async () => {
    const caller = callerOf(institutionId, commonV1.Role.ROLE_DEPARTMENT_LEADER);
    const { task } = await tasks.as(caller).start(newId());
    expect(await tasks.jobs.claim(task.id)).toMatchObject({
      caller,
      export: { exporter: 'generic', parameters: { daterange: '2026-03-01|2026-03-31', 'a.b': '$x' } },
    });
  });
});
