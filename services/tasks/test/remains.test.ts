import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { newId } from '@stechuhr/kernel';
import { connectMongo, type MongoDb } from '@stechuhr/mongo';
import { createLogger } from '@stechuhr/service';
import { openTcpGate, waitFor } from '@stechuhr/testing';
import { callerOf, present, startTasks, type RunningTasks } from './support/running-tasks.js';

const DAY_MS = 86_400_000;

let tasks: RunningTasks;
let mongo: MongoDb;
beforeAll(async () => {
  tasks = await startTasks();
  mongo = await connectMongo({
    url: tasks.servers.mongodbUrl,
    database: tasks.servers.database('tasks'),
    logger: createLogger('test', 'fatal'),
  });
});
afterAll(async () => {
  await mongo.close();
  await tasks.stop();
});

const stored = () => mongo.connection.collection<{ readonly _id: string; readonly step: string }>('tasks');

it('an inspection finds files without a task and tasks without a file, and repairs both', async () => {
  const owner = callerOf();
  const anna = tasks.as(owner);
  const [kept, lost] = await Promise.all([finished(), finished()]);
  const orphan = `exports/${owner.institutionId}/${newId()}/1.csv`;
  await tasks.put(orphan);
  await tasks.store.remove(lost.file);
  // The task of a recent file may not be stored yet.
  expect(await tasks.inspect()).toEqual({ 'lost-files': [lost.id] });
  tasks.advance(120_000);
  expect(await tasks.inspect()).toEqual({ 'lost-files': [lost.id], 'orphaned-files': [orphan] });
  expect(await tasks.inspect(true)).toEqual({ 'lost-files': [lost.id, 'repaired'], 'orphaned-files': [orphan, 'repaired'] });
  expect(await tasks.inspect()).toEqual({});
  expect(await tasks.store.stat(orphan)).toBeUndefined();
  expect((await anna.list()).tasks.map(({ id }) => id)).toEqual([kept.id]);
  expect(await tasks.store.stat(kept.file)).toBeDefined();

  async function finished() {
    const { task } = await anna.start(newId());
    const job = present(await tasks.jobs.claim(task.id));
    await tasks.jobs.finish(job);
    return { id: task.id, file: job.file };
  }
});

it('the files of a task with hundreds of attempts are removed a few at a time', async () => {
  const { protocol, host } = new URL(tasks.s3.address.endpoint);
  const gate = await openTcpGate(host);
  const connections = new Set<number>();
  gate.inspect((_direction, connection) => connections.add(connection).size > 0);
  const other = await tasks.another({ S3_ENDPOINT: `${protocol}//${gate.address}`, S3_PUBLIC_ENDPOINT: tasks.s3.address.endpoint });
  const anna = other.as(callerOf());
  const { task } = await anna.start(newId());
  const { file } = present(await tasks.jobs.claim(task.id));
  await tasks.put(file);
  await stored().updateOne({ _id: task.id }, { $set: { attempt: 300 } });
  await anna.delete(task.id);
  await waitFor(async () => (await stored().findOne({ _id: task.id }))?.step === 'remove');
  expect(await tasks.store.stat(file)).toBeUndefined();
  // The deletion and the sweep may both be removing them.
  expect(connections.size).toBeLessThanOrEqual(40);
  await other.stop();
  await gate.stop();
});

it('a file that a stalled worker stores after its task has failed is removed with the task', async () => {
  const { task } = await tasks.as(callerOf()).start(newId());
  const job = present(await tasks.jobs.claim(task.id));
  await tasks.jobs.fail(job, true);
  await waitFor(async () => (await stored().findOne({ _id: task.id }))?.step === 'remove');
  await tasks.put(job.file);
  tasks.advance(31 * DAY_MS);
  await waitFor(async () => (await stored().findOne({ _id: task.id })) === null);
  expect(await tasks.store.stat(job.file)).toBeUndefined();
});
