import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  buildContract,
  buildDeletion,
  buildDepartment,
  buildEmployee,
  buildInstitution,
  testServers,
  type TestServers,
} from '@stechuhr/testing';
import { finishRemovals } from '../src/operations/remove-records.js';
import { apply, once, startReplica, type Replica } from './support/replica.js';
import { startRecords, type RunningRecords } from './support/running-records.js';

let servers: TestServers;
let records: RunningRecords;
/** The stores of a second replica, whose calls the tests delay. */
let replica: Replica;

beforeAll(async () => {
  servers = await testServers();
  records = await startRecords(servers);
  replica = await startReplica(servers, records.database.databaseName);
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

async function markLeaving(): Promise<void> {
  await records.database
    .collection<{ _id: string }>('employees')
    .updateOne({ _id: all.employee.id }, { $set: { leaving: true }, $inc: { version: 1 } });
}

async function present(collection: string): Promise<number> {
  return records.database.collection(collection).countDocuments({ institution_id: all.institution.id, deleted_at: null, leaving: null });
}

describe('an unfinished removal that fails', () => {
  it('does not keep others from being finished', async () => {
    const others = build();
    await records.importLines(...Object.values(others));
    const leaving = [all, others].map(({ employee }) => employee.id).sort();
    await records.database
      .collection<{ _id: string }>('employees')
      .updateMany({ _id: { $in: leaving } }, { $set: { leaving: true }, $inc: { version: 1 } });
    const broken = replica.meanwhile({
      records: {
        idsWith: (kind, institutionId, condition) =>
          condition?.value === leaving[0] ? Promise.reject(new Error('broken')) : replica.records.idsWith(kind, institutionId, condition),
      },
    });
    await expect(finishRemovals(broken)).rejects.toThrow('broken');
    const left = records.database.collection<{ _id: string }>('employees').find({ _id: { $in: leaving }, deleted_at: null });
    expect((await left.toArray()).map(({ _id }) => _id)).toEqual([leaving[0]]);
  });
});

describe('a removal that another replica finished', () => {
  it('does not delete records that were imported since', async () => {
    await markLeaving();
    const importAgain = once(() => records.importLines(all.employee, all.contract));
    const slow = replica.meanwhile({
      records: {
        async idsWith(kind, ...rest) {
          if (kind === 'contract') await importAgain();
          return replica.records.idsWith(kind, ...rest);
        },
      },
    });
    await finishRemovals(slow);
    expect([await present('employees'), await present('contracts')]).toEqual([1, 1]);
  });

  it('does not clear references to a record that was created again', async () => {
    await records.database
      .collection<{ _id: string }>('departments')
      .updateOne({ _id: all.department.id }, { $set: { leaving: true }, $inc: { version: 1 } });
    const importAgain = once(() => records.importLines(all.department, all.employee));
    const slow = replica.meanwhile({
      records: {
        async idsWith(kind, ...rest) {
          if (kind === 'employee') await importAgain();
          return replica.records.idsWith(kind, ...rest);
        },
      },
    });
    await finishRemovals(slow);
    const [employee] = await records.employees({ institutionId: all.institution.id });
    expect(employee?.departmentId).toBe(all.department.id);
  });

  it('does not delete a re-created record that has been written equally often', async () => {
    await markLeaving();
    const importTwice = once(async () => {
      await records.importLines(buildDeletion(all.employee));
      await records.allPublished();
      await records.importLines(all.employee);
      await records.importLines({ ...all.employee, first_name: 'Wieder' });
    });
    const slow = replica.meanwhile({
      records: {
        async save(kind, writes) {
          if (kind === 'employee') await importTwice();
          return replica.records.save(kind, writes);
        },
      },
    });
    await finishRemovals(slow);
    expect(await present('employees')).toBe(1);
  });
});

describe('a record that is written while the record it refers to is being deleted', () => {
  it('is deleted with its employee', async () => {
    const { contract, employee } = all;
    const remove = once(() => records.importLines(buildDeletion(employee)));
    const slow = replica.meanwhile({
      records: {
        async save(kind, writes) {
          await remove();
          return replica.records.save(kind, writes);
        },
      },
    });
    const another = buildContract({ institution_id: contract.institution_id, employee_id: employee.id });
    await apply(slow, another);
    expect([await present('employees'), await present('contracts')]).toEqual([0, 0]);
  });

  it('loses its reference to the department', async () => {
    const { institution, department } = all;
    const remove = once(() => records.importLines(buildDeletion(department)));
    const slow = replica.meanwhile({
      records: {
        async save(kind, writes) {
          await remove();
          return replica.records.save(kind, writes);
        },
      },
    });
    const another = buildEmployee({ institution_id: institution.id, department_id: department.id });
    expect(await apply(slow, another)).toBe('accepted');
    const stored = await records.employees({ institutionId: institution.id });
    expect(stored.map(({ departmentId }) => departmentId)).toEqual([undefined, undefined]);
  });

  it('is found if the replica was killed between its write and its second check', async () => {
    const { contract, employee } = all;
    await records.importLines(buildDeletion(employee));
    await records.allPublished();
    const { _id, ...fields } = { _id: contract.id, ...contract, version: 1 };
    await records.database.collection<{ _id: string }>('contracts').insertOne({ _id, ...fields, outbox: [] } as never);
    expect(await apply(replica, contract)).toBe('unresolved');
    expect(await present('contracts')).toBe(0);
  });
});

describe('a deleted record that is imported into another institution', () => {
  it('is accepted although the event of its deletion has not been published yet', async () => {
    const other = buildInstitution();
    await records.importLines(other);
    await apply({ ...replica, notifyOutbox: () => undefined }, buildDeletion(all.employee));
    const whileEventsWait = replica.meanwhile({
      records: {
        async takenByOthers(kind, wanted) {
          const taken = await replica.records.takenByOthers(kind, wanted);
          for (const withEvents of [kind, 'contract'] as const) replica.notifyOutbox(withEvents, []);
          await records.allPublished();
          return taken;
        },
      },
    });
    const moved = { ...all.employee, institution_id: other.id, department_id: null };
    expect(await apply(whileEventsWait, moved)).toBe('accepted');
    expect(await records.employees({ institutionId: other.id })).toMatchObject([{ id: all.employee.id }]);
  });
});
