import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createLogger } from '@stechuhr/service';
import {
  buildContract,
  buildDeletion,
  buildDepartment,
  buildEmployee,
  buildInstitution,
  testServers,
  type TestServers,
} from '@stechuhr/testing';
import { readConfig } from '../src/config.js';
import { createContext, type Context } from '../src/context.js';
import { judgeLine, recordIngest } from '../src/operations/ingest.js';
import type { RecordStore, WriteContext } from '../src/operations/ports.js';
import { finishRemovals } from '../src/operations/remove-records.js';
import { startRecords, type RunningRecords } from './support/running-records.js';

let servers: TestServers;
let records: RunningRecords;
/** The stores of a second replica, whose steps are held up. */
let replica: Context;

beforeAll(async () => {
  servers = await testServers();
  records = await startRecords(servers);
  const environment = { MONGODB_URL: servers.mongodbUrl, NATS_URL: servers.natsUrl, REDIS_URL: servers.redisUrl };
  const config = readConfig({ ...environment, MONGODB_DATABASE: records.database.databaseName });
  replica = await createContext(config, createLogger('records', 'fatal'));
});
afterAll(async () => {
  await replica.close();
  await records.stop();
  await servers.stop();
});

const build = () => {
  const institution = buildInstitution();
  const ids = { institution_id: institution.id };
  const department = buildDepartment(ids);
  const employee = buildEmployee({ ...ids, department_id: department.id });
  return { institution, department, employee, contract: buildContract({ ...ids, employee_id: employee.id }) };
};

let all = build();

beforeEach(async () => {
  all = build();
  await records.importLines(...Object.values(all));
  await records.allPublished();
});

/** What a replica does with its stores, where the rest of the world moves on just before some calls. */
function meanwhile(calls: Partial<RecordStore>): WriteContext {
  return { ...replica, records: { ...replica.records, ...calls } };
}

/** Runs something before the first of some calls, and not again. */
function once(task: () => Promise<unknown>): () => Promise<void> {
  let run: Promise<unknown> | undefined;
  return async () => {
    run ??= task();
    await run;
  };
}

async function markLeaving(): Promise<void> {
  await records.database
    .collection<{ _id: string }>('employees')
    .updateOne({ _id: all.employee.id }, { $set: { leaving: true }, $inc: { version: 1 } });
}

async function present(collection: string): Promise<number> {
  return records.database.collection(collection).countDocuments({ institution_id: all.institution.id, deleted_at: null, leaving: null });
}

async function apply(context: WriteContext, line: object): Promise<readonly string[]> {
  const judged = judgeLine(JSON.stringify(line));
  if (!('change' in judged)) throw new Error(judged.refusal.reason);
  return (await recordIngest(context).apply([judged.change], { mayWait: false })).map(({ kind }) => kind);
}

describe('a removal that another replica finished', () => {
  it('does not take what was imported since', async () => {
    await markLeaving();
    const importAgain = once(() => records.importLines(all.employee, all.contract));
    const slow = meanwhile({
      async idsWith(kind, ...rest) {
        if (kind === 'contract') await importAgain();
        return replica.records.idsWith(kind, ...rest);
      },
    });
    await finishRemovals(slow);
    expect([await present('employees'), await present('contracts')]).toEqual([1, 1]);
  });

  it('does not clear references to what came back', async () => {
    await records.database
      .collection<{ _id: string }>('departments')
      .updateOne({ _id: all.department.id }, { $set: { leaving: true }, $inc: { version: 1 } });
    const importAgain = once(() => records.importLines(all.department, all.employee));
    const slow = meanwhile({
      async idsWith(kind, ...rest) {
        if (kind === 'employee') await importAgain();
        return replica.records.idsWith(kind, ...rest);
      },
    });
    await finishRemovals(slow);
    const [employee] = await records.employees({ institutionId: all.institution.id });
    expect(employee?.departmentId).toBe(all.department.id);
  });

  it('does not take a record that has reached the same number of writes again', async () => {
    await markLeaving();
    const importTwice = once(async () => {
      await records.importLines(buildDeletion(all.employee));
      await records.allPublished();
      await records.importLines(all.employee);
      await records.importLines({ ...all.employee, first_name: 'Wieder' });
    });
    const slow = meanwhile({
      async save(kind, writes) {
        if (kind === 'employee') await importTwice();
        return replica.records.save(kind, writes);
      },
    });
    await finishRemovals(slow);
    expect(await present('employees')).toBe(1);
  });
});

describe('a record that is written while what it names is being deleted', () => {
  it('goes with its employee', async () => {
    const { contract, employee } = all;
    const remove = once(() => records.importLines(buildDeletion(employee)));
    const slow = meanwhile({
      async save(kind, writes) {
        await remove();
        return replica.records.save(kind, writes);
      },
    });
    const another = buildContract({ institution_id: contract.institution_id, employee_id: employee.id });
    await apply(slow, another);
    expect([await present('employees'), await present('contracts')]).toEqual([0, 0]);
  });

  it('loses its department', async () => {
    const { institution, department } = all;
    const remove = once(() => records.importLines(buildDeletion(department)));
    const slow = meanwhile({
      async save(kind, writes) {
        await remove();
        return replica.records.save(kind, writes);
      },
    });
    const another = buildEmployee({ institution_id: institution.id, department_id: department.id });
    expect(await apply(slow, another)).toEqual(['accepted']);
    const stored = await records.employees({ institutionId: institution.id });
    expect(stored.map(({ departmentId }) => departmentId)).toEqual([undefined, undefined]);
  });

  it('is found when it was written and the replica was killed before it looked again', async () => {
    const { contract, employee } = all;
    await records.importLines(buildDeletion(employee));
    await records.allPublished();
    const { _id, ...fields } = { _id: contract.id, ...contract, version: 1 };
    await records.database.collection<{ _id: string }>('contracts').insertOne({ _id, ...fields, outbox: [] } as never);
    expect(await apply(replica, contract)).toEqual(['unresolved']);
    expect(await present('contracts')).toBe(0);
  });
});
