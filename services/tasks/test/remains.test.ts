import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
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

const stored = () => mongo.connection.collection<{ readonly _id: string; readonly step: string; readonly due_at: Date }>('tasks');

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

describe('tasks that together are larger than the memory', () => {
  const TASKS = 30;
  const owner = callerOf();
  const skipped = Array.from({ length: 4_000 }, () => ({ id: newId(), name: 'x'.repeat(1_000), reason: 'archived' }));
  let nats: Awaited<ReturnType<typeof startNats>>;
  let direct: MongoDb;
  let service: Awaited<ReturnType<typeof startServiceProcess>>;

  beforeAll(async () => {
    nats = await startNats({ own: true });
    const { servers, s3 } = tasks;
    const { endpoint, accessKey, secretKey, bucket } = s3.address;
    const database = servers.database('large');
    direct = await connectMongo({ url: servers.mongodbUrl, database, logger: createLogger('test', 'fatal') });
    const { institutionId, accountId } = owner;
    const agenda = { step: 'purge', dueAt: Date.now() - 1_000 } as const;
    const task = taskWith({ owner: { institutionId, accountId }, status: 'finished', endedAt: Date.now(), attempt: 1, skipped, agenda });
    const document = { ...fixedFields(task), ...changingFields(task), version: 1, outbox: [] };
    const collection = direct.connection.collection('tasks');
    for (let count = 0; count < TASKS; count += 1) await collection.insertOne({ _id: newId(), ...document } as never);
    service = await startServiceProcess({
      main: join(import.meta.dirname, '../dist/main.js'),
      // Less than all of the tasks, which have 120 MiB.
      nodeOptions: ['--max-old-space-size=80'],
      env: {
        ...{ MONGODB_URL: servers.mongodbUrl, MONGODB_DATABASE: database, NATS_URL: nats.address, LOG_LEVEL: 'info' },
        ...{ S3_ENDPOINT: endpoint, S3_ACCESS_KEY: accessKey, S3_SECRET_KEY: secretKey, S3_BUCKET: bucket },
      },
    });
  });
  afterAll(async () => {
    await service.stop();
    await direct.close();
    await nats.stop();
  });

  it('are processed when their steps are due, and keep what no step changes', async () => {
    const collection = direct.connection.collection('tasks');
    await waitFor(async () => (await collection.countDocuments({ step: 'remove' })) === TASKS);
    expect(await collection.findOne({})).toMatchObject({ version: 2, skipped, label: 'Export', visibility: { role: 'admin' } });
  });

  it('are deleted with their account', async () => {
    const { institutionId, accountId } = owner;
    const deletions = await watchSubjects(nats.address, `stechuhr.events.${institutionId}.tasks.task.deleted`);
    const bus = await connectBus({ servers: nats.address, name: 'records', logger: createLogger('records', 'fatal') });
    const deletion = createEvent({ type: 'records.account.deleted', institutionId, data: { id: accountId }, clock: systemClock });
    await bus.publish(subjectOf(deletion), JSON.stringify(deletion));
    await waitFor(() => deletions.messages.length === TASKS);
    await Promise.all([deletions.stop(), bus.close()]);
  });
});

it('a task whose events are not published yet is removed later, without its files being removed every two seconds', async () => {
  const id = newId();
  const { institutionId, accountId } = callerOf();
  const agenda = { step: 'remove', dueAt: Date.now() - 1_000 } as const;
  const task = taskWith({ id, owner: { institutionId, accountId }, status: 'finished', endedAt: Date.now(), attempt: 1, agenda });
  // The relay does not find this event, so it stays, as all events do while NATS is unavailable.
  const document = { ...fixedFields(task), ...changingFields(task), version: 1, outbox: [{}] };
  await stored().insertOne({ _id: id, ...document });
  await waitFor(async () => ((await stored().findOne({ _id: id }))?.due_at.getTime() ?? 0) > Date.now() + 30_000);
  await stored().deleteOne({ _id: id });
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
