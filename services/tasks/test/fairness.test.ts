import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { exportJobSchema, exportJobSubject } from '@stechuhr/contracts';
import { newId, systemClock } from '@stechuhr/kernel';
import { connectMongo, type MongoDb } from '@stechuhr/mongo';
import { createLogger } from '@stechuhr/service';
import { waitFor, watchSubjects, type SubjectWatch } from '@stechuhr/testing';
import { trusted } from 'mongoose';
import { taskModel } from '../src/store/task-model.js';
import { createTaskStore } from '../src/store/task-store.js';
import { callerOf, present, startTasks, type CallerTasks, type RunningTasks } from './support/running-tasks.js';

const AT_A_TIME = 2;
const QUEUED = 500;

let tasks: RunningTasks;
let queue: SubjectWatch;
let mongo: MongoDb;

beforeAll(async () => {
  tasks = await startTasks(AT_A_TIME);
  mongo = await connectMongo({
    url: tasks.servers.mongodbUrl,
    database: tasks.servers.database('tasks'),
    logger: createLogger('test', 'fatal'),
  });
  queue = await watchSubjects(tasks.servers.natsUrl, exportJobSubject);
});
afterAll(async () => {
  await mongo.close();
  await queue.stop();
  await tasks.stop();
});

const startOf = async (caller: CallerTasks): Promise<string> => (await caller.start(newId())).task.id;
/** Returns the jobs that workers can take, in the order of the queue. */
const queued = (): string[] => queue.messages.map(({ text }) => exportJobSchema.parse(JSON.parse(text)).task_id);

async function endJob(id: string): Promise<void> {
  expect(await tasks.jobs.finish(present(await tasks.jobs.claim(id)))).toBe(true);
}

describe('background exports of one institution', () => {
  it('are rejected if a thousand of them are open, without affecting other institutions', async () => {
    const [one, other] = [tasks.as(callerOf()), tasks.as(callerOf())];
    const fingerprint = newId();
    const first = (await one.start(fingerprint)).task.id;
    const stored = mongo.connection.collection<{ readonly _id: string }>('tasks');
    const { fingerprint: _own, ...open } = (await stored.findOne({ _id: first })) as { readonly _id: string; readonly fingerprint: string };
    await stored.insertMany(Array.from({ length: 999 }, () => ({ ...open, _id: newId(), due_at: new Date('2100-01-01') })));
    await expect(one.start(newId())).rejects.toMatchObject({ code: 'rate_limited', message: expect.stringContaining('At most 1000') });
    expect((await one.find(fingerprint))?.id).toBe(first);
    // An identical request that did not find the task, because it was started in the meantime.
    expect(await one.start(fingerprint)).toMatchObject({ task: { id: first }, started: false });
    const { task, started } = await other.start(newId());
    expect(started).toBe(true);
    // Its queued jobs must not be counted by the next test.
    await waitFor(() => [first, task.id].every((id) => queued().includes(id)));
  });
});

describe('the age of the oldest open task', () => {
  it('is counted from its admission', async () => {
    const model = taskModel(mongo.connection);
    // Tasks of other tests are excluded.
    await model.updateMany({ turn_at: trusted({ $ne: null }) }, { $set: { turn_at: null } });
    const { oldestAdmission } = createTaskStore({ model, toEvents: () => [], clock: systemClock, due: () => undefined });
    const own = tasks.as(callerOf());
    const ids: string[] = [];
    for (let index = 0; index < AT_A_TIME + 1; index++) ids.push(await startOf(own));
    const [first = '', second = '', third = ''] = ids;
    const turns = async () =>
      new Map((await model.find({ _id: trusted({ $in: ids }) }).lean()).map((one) => [one._id, one.turn_at ?? null]));
    await waitFor(async () => (await turns()).get(third) === null);
    const begun = await turns();
    expect(await oldestAdmission()).toBe(begun.get(first)?.getTime());

    await endJob(first);
    await waitFor(() => queued().includes(third));
    expect(await oldestAdmission()).toBe(begun.get(second)?.getTime());
    await endJob(second);
    const last = (await turns()).get(third)?.getTime() ?? 0;
    expect(await oldestAdmission()).toBe(last);
    expect(last).toBeGreaterThan(begun.get(second)?.getTime() ?? 0);
    await endJob(third);
    expect(await oldestAdmission()).toBeUndefined();
  });
});

describe('background exports of two institutions', () => {
  it('alternate: many jobs of one delay the other by one slot at most', async () => {
    const [one, other] = [tasks.as(callerOf()), tasks.as(callerOf())];
    const before = queued().length;
    // Tasks are published independently, in no particular order.
    const first = await startOf(one);
    await waitFor(() => queued().includes(first));
    const second = await startOf(one);
    await waitFor(() => queued().includes(second));
    const many: string[] = [];
    for (let index = 2; index < QUEUED; index++) many.push(await startOf(one));
    const theirs = await startOf(other);
    await waitFor(() => queued().includes(theirs));
    expect(queued().slice(before)).toEqual([first, second, theirs]);

    // Each free slot goes to the task that waits the longest.
    for (const [index, ended] of [first, second, many[0] ?? ''].entries()) {
      await endJob(ended);
      const next = many[index];
      await waitFor(() => queued().includes(next ?? ''));
    }
    expect(queued().slice(before)).toEqual([first, second, theirs, ...many.slice(0, 3)]);

    // Deleting a held task frees no slot; deleting an admitted one does.
    await one.delete(many[10] ?? '');
    await one.delete(many[1] ?? '');
    await waitFor(() => queued().includes(many[3] ?? ''));
    expect(queued().slice(before)).toHaveLength(AT_A_TIME + 1 + 4);
  });
});

it('a task that waits for an unavailable service keeps back no other task of its institution', async () => {
  const own = tasks.as(callerOf());
  const [first, second] = [await startOf(own), await startOf(own)];
  await waitFor(() => [first, second].every((id) => queued().includes(id)));
  const third = await startOf(own);
  const jobs = [present(await tasks.jobs.claim(first)), present(await tasks.jobs.claim(second))];
  expect(queued()).not.toContain(third);
  for (const job of jobs) await tasks.jobs.release(job, true);
  await waitFor(() => queued().includes(third));
  // Of the tasks that wait, the older one has the other slot.
  const timesQueued = (id: string) => queued().filter((one) => one === id).length;
  await waitFor(() => timesQueued(first) === 2);
  expect(timesQueued(second)).toBe(1);
  await endJob(third);
  await waitFor(() => timesQueued(second) === 2);
  for (const id of [first, second]) await endJob(id);
});
