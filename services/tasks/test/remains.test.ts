import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { connectBus, createEvent, subjectOf } from '@stechuhr/bus';
import { newId, systemClock } from '@stechuhr/kernel';
import { startNats } from '@stechuhr/local-infra';
import { connectMongo, type MongoDb } from '@stechuhr/mongo';
import { createLogger } from '@stechuhr/service';
import { openTcpGate, startServiceProcess, waitFor, watchSubjects } from '@stechuhr/testing';
import { taskWith } from '../src/domain/test-support.js';
import { changingFields, fixedFields } from '../src/store/task-document.js';
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

it('the tasks of a deleted account are deleted without all of them in memory', async () => {
  const { servers, s3 } = tasks;
  const nats = await startNats({ own: true });
  const { endpoint, accessKey, secretKey, bucket } = s3.address;
  const database = servers.database('large');
  const direct = await connectMongo({ url: servers.mongodbUrl, database, logger: createLogger('test', 'fatal') });
  const service = await startServiceProcess({
    main: join(import.meta.dirname, '../dist/main.js'),
    // Less than all of the tasks, which have 120 MiB.
    nodeOptions: ['--max-old-space-size=80'],
    env: {
      ...{ MONGODB_URL: servers.mongodbUrl, MONGODB_DATABASE: database, NATS_URL: nats.address, LOG_LEVEL: 'info' },
      ...{ S3_ENDPOINT: endpoint, S3_ACCESS_KEY: accessKey, S3_SECRET_KEY: secretKey, S3_BUCKET: bucket },
    },
  });
  const TASKS = 30;
  const { institutionId, accountId } = callerOf();
  const skipped = Array.from({ length: 4_000 }, () => ({ id: newId(), name: 'x'.repeat(1_000), reason: 'archived' }));
  const agenda = { step: 'remove', dueAt: Date.now() + DAY_MS } as const;
  const task = taskWith({ owner: { institutionId, accountId }, status: 'finished', endedAt: Date.now(), skipped, agenda });
  const document = { ...fixedFields(task), ...changingFields(task), version: 1, outbox: [] };
  const collection = direct.connection.collection('tasks');
  for (let count = 0; count < TASKS; count += 1) await collection.insertOne({ _id: newId(), ...document } as never);
  const deletions = await watchSubjects(nats.address, `stechuhr.events.${institutionId}.tasks.task.deleted`);
  const bus = await connectBus({ servers: nats.address, name: 'records', logger: createLogger('records', 'fatal') });
  const deletion = createEvent({ type: 'records.account.deleted', institutionId, data: { id: accountId }, clock: systemClock });
  await bus.publish(subjectOf(deletion), JSON.stringify(deletion));
  await waitFor(() => deletions.messages.length === TASKS);
  await service.stop();
  await Promise.all([deletions.stop(), bus.close(), direct.close()]);
  await nats.stop();
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
