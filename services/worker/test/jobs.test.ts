import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { recordsV1 } from '@stechuhr/contracts';
import { newId } from '@stechuhr/kernel';
import { callUnary, createGrpcClient, createLogger } from '@stechuhr/service';
import { waitFor, watchSubjects, type ServiceProcess } from '@stechuhr/testing';
import { giveUp } from '../src/operations/end-attempt.js';
import type { Job, Ports } from '../src/operations/ports.js';
import { DAYS, EMPLOYEES, openStage, type Stage } from './support/stage.js';

/** The response of records for one export has 127 kB. */
const HALF_BYTES = 83_000;

let stage: Stage;
/** The worker that runs when a test begins, if any: a start takes a second of CPU time. */
let kept: ServiceProcess | undefined;
const further: ServiceProcess[] = [];
beforeAll(async () => {
  stage = await openStage();
});
afterAll(async () => {
  await kept?.kill();
  await stage.stop();
});
afterEach(async () => {
  stage.gates.tasks.release();
  stage.gates.records.release();
  await Promise.all(further.splice(0).map((worker) => worker.kill()));
});

/** Returns the worker that runs already, or starts it. */
async function oneWorker(): Promise<ServiceProcess> {
  kept ??= await stage.startWorker();
  return kept;
}

/** Starts a worker for this test, beside the one that is kept. */
async function anotherWorker(environment?: Readonly<Record<string, string>>): Promise<ServiceProcess> {
  const worker = await stage.startWorker(environment);
  further.push(worker);
  return worker;
}

/** Ends the worker that is kept; the next one is a new process. */
async function endWorker(how: 'kill' | 'stop' = 'kill'): Promise<void> {
  const worker = kept;
  kept = undefined;
  await worker?.[how]();
}

/** Starts a task whose export is halted halfway. */
async function startHalfWay(): Promise<string> {
  stage.gates.records.holdAnswersAfter(HALF_BYTES);
  const id = await stage.start();
  await waitFor(async () => (await stage.find(id))?.description?.includes('von etwa'));
  return id;
}

function expectWhole(text: string): void {
  const lines = text.trimEnd().split('\r\n');
  expect(lines).toHaveLength(1 + EMPLOYEES * DAYS);
  expect(lines[0]).toMatch(/^last-name,date,value/);
  expect(lines.at(-1)).toMatch(/^Nr0099,2026-03-20,8,/);
}

describe('a job', () => {
  it('stores the raw file and lists the employees who are left out', async () => {
    await oneWorker();
    const id = await stage.start({ response_only: 'false' });
    expectWhole(await stage.fileOf(id));
    expect(await stage.find(id)).toMatchObject({ description: '2.000 Zeilen', result: { skipped: [] } });
  });

  it('reports its progress', async () => {
    await oneWorker();
    const id = await startHalfWay();
    expect((await stage.find(id))?.description).toMatch(/^[\d.]+ von etwa 2\.000 Zeilen$/);
    stage.gates.records.release();
    expectWhole(await stage.fileOf(id));
  });

  it('that can never succeed fails at once', async () => {
    const dead = await watchSubjects(stage.servers.natsUrl, 'stechuhr.dead.export.>');
    await oneWorker();
    const id = await stage.start({ employee_ids: '6f1f5d3e-0000-4000-8000-000000000001', types: 'no-such-type' });
    const { text } = await dead.next((message) => message.text.includes(id));
    expect(JSON.parse(text)).toMatchObject({ deliveries: 1, reason: 'invalid: employee_ids, types' });
    expect(await stage.find(id)).toBeUndefined();
    await dead.stop();
  });

  it('is one of many that all workers run in their slots', async () => {
    await Promise.all([anotherWorker({ WORKER_SLOTS: '2' }), oneWorker()]);
    const ids = await Promise.all(Array.from({ length: 12 }, () => stage.start()));
    for (const id of ids) expectWhole(await stage.fileOf(id));
    expect(await Promise.all(ids.map((id) => stage.filesOf(id)))).toEqual(ids.map(() => [1]));
  });

  it('is released by a worker that has to stop', async () => {
    await oneWorker();
    const id = await startHalfWay();
    await endWorker('stop');
    stage.gates.records.release();
    await oneWorker();
    expectWhole(await stage.fileOf(id));
    expect(await stage.filesOf(id)).toEqual([2]);
  });
});

describe('deletion of a running task', () => {
  it('ends the job without leftovers, and the worker continues with others', async () => {
    await oneWorker();
    const id = await startHalfWay();
    await stage.delete(id);
    const other = stage.start();
    // In its only slot: the first export has ended, although its reads are still blocked.
    stage.gates.records.holdAnswersAfter(Infinity);
    await waitFor(async () => (await stage.find(await other)) !== undefined);
    stage.gates.records.release();
    expectWhole(await stage.fileOf(await other));
    expect(await stage.filesOf(id)).toEqual([]);
  });
});

describe('a task that was started while its account was deleted', () => {
  it('is deleted without a file', async () => {
    const events = await watchSubjects(stage.servers.natsUrl, 'stechuhr.events.*.tasks.task.>');
    const id = await stage.start({}, newId());
    await oneWorker();
    const { subject } = await events.next(({ text, subject: of }) => text.includes(id) && /\.(deleted|finished|failed)$/.test(of));
    expect(subject).toMatch(/\.deleted$/);
    expect(await stage.filesOf(id)).toEqual([]);
    await events.stop();
  });
});

describe('kill -9 of the worker', () => {
  it('halfway: another worker writes the file', async () => {
    await oneWorker();
    const id = await startHalfWay();
    await endWorker();
    stage.gates.records.release();
    await stage.tasks.endLeases();
    await oneWorker();
    expectWhole(await stage.fileOf(id));
    expect(await stage.filesOf(id)).toEqual([2]);
  });

  it('after the upload: the file of another attempt is used', async () => {
    await oneWorker();
    const id = await startHalfWay();
    stage.gates.tasks.hold('requests');
    stage.gates.records.release();
    await waitFor(async () => (await stage.filesOf(id)).length === 1);
    await endWorker();
    // Data that it had sent is lost with it.
    await waitFor(() => stage.gates.tasks.heldBytes === 0);
    stage.gates.tasks.release();
    await stage.tasks.endLeases();
    await oneWorker();
    expectWhole(await stage.fileOf(id));
    expect((await stage.find(id))?.result?.file).toMatch(/\/2\.csv$/);
  });

  it('after reporting the end, before acknowledging the message: the job is not run again', async () => {
    await oneWorker();
    const id = await startHalfWay();
    stage.gates.tasks.hold('answers');
    stage.gates.records.release();
    expectWhole(await stage.fileOf(id));
    await endWorker();
    stage.gates.tasks.release();
    await oneWorker();
    const other = await stage.start();
    expectWhole(await stage.fileOf(other));
    expect((await stage.find(id))?.result?.file).toMatch(/\/1\.csv$/);
    expect(await stage.filesOf(id)).toEqual([1]);
  });

  it('before claiming the job: the message is delivered again', async () => {
    // A new one, which sends nothing but this request.
    await endWorker();
    await oneWorker();
    stage.gates.tasks.hold('requests');
    const id = await stage.start();
    // Only the gate has received the worker's request.
    await waitFor(() => stage.gates.tasks.heldBytes > 0);
    await endWorker();
    stage.gates.tasks.release();
    await oneWorker();
    expectWhole(await stage.fileOf(id));
    expect(await stage.filesOf(id)).toEqual([1]);
  });
});

describe('a worker that is suspended', () => {
  it('has no effect when it continues', async () => {
    const first = await anotherWorker();
    await endWorker();
    const id = await startHalfWay();
    process.kill(first.pid, 'SIGSTOP');
    stage.gates.records.release();
    await stage.tasks.endLeases();
    await oneWorker();
    expectWhole(await stage.fileOf(id));
    const file = (await stage.find(id))?.result?.file;
    process.kill(first.pid, 'SIGCONT');
    const other = await Promise.all([stage.start(), stage.start()]);
    for (const next of other) expectWhole(await stage.fileOf(next));
    expect(await stage.find(id)).toMatchObject({ result: { file } });
    expect(file).toMatch(/\/2\.csv$/);
    await waitFor(async () => (await stage.filesOf(id)).join() === '2');
  });
});

describe('while a dependency is unavailable', () => {
  it('a job waits for the store', async () => {
    await oneWorker();
    const id = await startHalfWay();
    await stage.s3.kill();
    stage.gates.records.release();
    // The next attempt has noticed at once.
    await waitFor(async () => (await stage.find(id))?.description === undefined);
    await stage.s3.restart();
    expectWhole(await stage.fileOf(id));
    expect(await stage.filesOf(id)).toHaveLength(1);
  });

  it('a job continues without tasks and ends once it is available', async () => {
    await oneWorker();
    const id = await startHalfWay();
    await stage.tasks.kill();
    stage.gates.records.release();
    await waitFor(async () => (await stage.filesOf(id)).length === 1);
    await stage.tasks.restart();
    expectWhole(await stage.fileOf(id));
    expect(await stage.filesOf(id)).toEqual([1]);
  });

  it('a job stays with its worker after tasks was unavailable for longer than a lease, even if another worker is idle', async () => {
    await oneWorker();
    const id = await startHalfWay();
    await stage.tasks.kill();
    await stage.tasks.endLeases();
    stage.gates.records.release();
    await waitFor(async () => (await stage.filesOf(id)).length === 1);
    await anotherWorker();
    await stage.tasks.restart();
    expectWhole(await stage.fileOf(id));
    expect(await stage.filesOf(id)).toEqual([1]);
  });

  it('a job whose connection breaks is run again', async () => {
    await oneWorker();
    const id = await startHalfWay();
    // First, since what is held may be all that the export still needs.
    stage.gates.records.reset();
    stage.gates.records.release();
    expectWhole(await stage.fileOf(id));
    expect(await stage.filesOf(id)).toEqual([2]);
  });

  it('tasks learns whether a service broke the connection or could not be reached', async () => {
    const { records } = stage.gates;
    const [client, unreachable] = [records.address, '127.0.0.1:9'].map((at) => createGrpcClient(recordsV1.RecordsServiceClient, at));
    if (client === undefined || unreachable === undefined) throw new Error('There is no client.');
    const failureOf = (of: recordsV1.RecordsServiceClient) =>
      callUnary(of, of.getAccount, { accountId: newId() }).catch((caught: unknown) => caught);
    const releasedAfter = async (failure: unknown) => {
      const release = jest.fn<Ports['jobs']['release']>().mockResolvedValue();
      const ports = { jobs: { release }, stopping: new AbortController().signal, logger: createLogger('test', 'fatal') };
      await giveUp(ports as unknown as Ports, { taskId: newId(), attempt: 1 } as Job, failure);
      return release.mock.calls[0]?.[1];
    };
    // Connects, and finds no account.
    await failureOf(client);
    records.hold('answers');
    const broken = failureOf(client);
    await waitFor(() => records.heldBytes > 0);
    records.reset();
    expect(await releasedAfter(await broken)).toEqual({ unavailable: true, interrupted: true });
    expect(await releasedAfter(await failureOf(unreachable))).toEqual({ unavailable: true, interrupted: false });
    client.close();
    unreachable.close();
  });

  it('a job waits for records', async () => {
    await endWorker();
    const without = await anotherWorker({ RECORDS_ADDRESS: '127.0.0.1:9' });
    const id = await stage.start();
    await waitFor(async () => (await stage.find(id))?.startedAt !== undefined);
    await without.kill();
    // It may have been at a further attempt.
    await stage.tasks.endLeases();
    await oneWorker();
    expectWhole(await stage.fileOf(id));
  });
});
