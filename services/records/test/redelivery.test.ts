import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '@stechuhr/kernel';
import {
  buildAbsence,
  buildContract,
  buildDeletion,
  buildDepartment,
  buildEmployee,
  buildInstitution,
  buildWorkday,
  buildWorkmonth,
  testServers,
  type TestServers,
} from '@stechuhr/testing';
import { nameOf } from '../src/domain/month-contents.js';
import { finishRemovals } from '../src/operations/remove-records.js';
import { apply, once, startReplica, type Replica } from './support/replica.js';

let servers: TestServers;
let replica: Replica;

beforeAll(async () => {
  servers = await testServers();
  replica = await startReplica(servers, servers.database('records'));
});
afterAll(async () => {
  await replica.close();
  await servers.stop();
});

const institution = buildInstitution();
const ids = { institution_id: institution.id };
let employee = buildEmployee(ids);

beforeEach(async () => {
  employee = buildEmployee(ids);
  await apply(replica, institution);
  await apply(replica, employee);
});

/** Returns the months of the employee with their workdays and records. */
async function places(): Promise<unknown[]> {
  const months = await replica.months.ofEmployee(institution.id, employee.id);
  return months
    .map(({ address, workdays, record }) => [
      address.month,
      ...(workdays ?? []).map(({ id }) => id),
      ...(record === undefined ? [] : [record.id]),
    ])
    .sort();
}

const workdayIn = (month: number, id: string) => buildWorkday({ ...ids, employee_id: employee.id, date: `2026-0${String(month)}-02`, id });
const workmonthIn = (month: number, id: string) => buildWorkmonth({ ...ids, employee_id: employee.id, year: 2026, month, id });

/** The replica, killed after its first write to records of a kind. */
function killedAfterRemoving(kind: string) {
  const killed = () => Promise.reject(new Error('killed'));
  return replica.meanwhile({
    records: {
      async save(of, writes) {
        const saved = await replica.records.save(of, writes);
        return of === kind ? killed() : saved;
      },
    },
    months: {
      async save(writes) {
        await replica.months.save(writes);
        return killed();
      },
    },
  });
}

/** NATS delivers an object again if its process ended after the write and before the acknowledgement. */
describe('a live object that is delivered again', () => {
  it('does not undo what an import changed meanwhile', async () => {
    const department = buildDepartment(ids);
    await apply(replica, department, 5);
    await apply(replica, { ...department, name: 'Imported' });
    expect(await apply(replica, department, 5)).toBe('accepted');
    const stored = (await replica.records.load('department', [{ institutionId: institution.id, id: department.id }])).get(
      nameOf({ institutionId: institution.id }, department.id),
    );
    expect(stored?.fields).toMatchObject({ name: 'Imported' });
  });

  it.each([
    ['workday', workdayIn],
    ['workmonth', workmonthIn],
  ])('does not move a %s back that an import moved meanwhile', async (_, lineIn) => {
    const [moved, other] = [newId(), newId()];
    const march = lineIn(3, moved);
    await apply(replica, march, 5);
    await apply(replica, lineIn(4, moved));
    await apply(replica, lineIn(3, other));
    expect(await apply(replica, march, 5)).toBe('accepted');
    expect(await places()).toEqual([
      [3, other],
      [4, moved],
    ]);
  });

  it.each([
    ['department', (_: number, id: string) => buildDepartment({ ...ids, id })],
    ['employee', (_: number, id: string) => buildEmployee({ ...ids, id })],
    ['workday', workdayIn],
    ['workmonth', workmonthIn],
  ])('does not delete a %s again that an import created meanwhile', async (_, lineIn) => {
    const line = lineIn(3, newId());
    const { kind, institution_id, id } = line;
    const deletion = { kind, institution_id, id, deleted: true };
    await apply(replica, line, 5);
    expect(await apply(replica, deletion, 6)).toBe('accepted');
    expect(await apply(replica, line)).toBe('accepted');
    expect(await apply(replica, deletion, 6)).toBe('overtaken');
    // An equal repeat changes nothing only if the record is still there.
    const events: string[] = [];
    const watched = replica.meanwhile({});
    await apply({ ...watched, notifyOutbox: (of, written) => void events.push(...written.map(() => of)) }, line);
    expect(events).toEqual([]);
    expect(await apply(replica, deletion, 7)).toBe('accepted');
    expect(await apply(replica, deletion, 7)).toBe('accepted');
    expect(await apply(replica, line, 6)).toBe('overtaken');
  });

  it.each([
    ['contract', (_: number, id: string) => buildContract({ ...ids, employee_id: employee.id, id })],
    ['absence', (_: number, id: string) => buildAbsence({ ...ids, employee_id: employee.id, id })],
    ['workday', workdayIn],
    ['workmonth', workmonthIn],
  ])('does not bring a %s back that was deleted with its employee', async (_, lineIn) => {
    for (const [written, deleted] of [[5], [6, 7]] as const) {
      const line = lineIn(3, newId());
      expect(await apply(replica, line, written)).toBe('accepted');
      expect(await apply(replica, buildDeletion(employee), deleted)).toBe('accepted');
      await apply(replica, employee, deleted && deleted + 1);
      expect(await apply(replica, line, written)).toBe('overtaken');
      expect(await apply(replica, line, 9)).toBe('accepted');
      expect(await apply(replica, buildDeletion(line))).toBe('accepted');
    }
  });

  it.each([
    ['contract', (id: string) => buildContract({ ...ids, employee_id: employee.id, id })],
    ['workday', (id: string) => workdayIn(3, id)],
    ['workmonth', (id: string) => workmonthIn(3, id)],
  ])('does not bring a %s back that a process removed with its employee just before it was killed', async (_, lineOf) => {
    const line = lineOf(newId());
    expect(await apply(replica, line, 5)).toBe('accepted');
    await expect(apply(killedAfterRemoving(line.kind), buildDeletion(employee), 7)).rejects.toThrow('killed');
    await finishRemovals(replica);
    expect(await apply(replica, employee, 8)).toBe('accepted');
    expect(await apply(replica, line, 5)).toBe('overtaken');
    expect(await apply(replica, line)).toBe('accepted');
    expect(await apply(replica, line, 5)).toBe('overtaken');
    expect(await apply(replica, line, 9)).toBe('accepted');
    expect(await apply(replica, line, 9)).toBe('accepted');
  });

  it('does not bring an employee back that a process had marked as leaving with its institution when it was killed', async () => {
    const closed = buildInstitution();
    const member = buildEmployee({ institution_id: closed.id });
    await apply(replica, closed);
    await apply(replica, member, 5);
    await expect(apply(killedAfterRemoving('employee'), buildDeletion(closed))).rejects.toThrow('killed');
    await finishRemovals(replica);
    await apply(replica, closed);
    expect(await apply(replica, member, 5)).toBe('overtaken');
    expect(await apply(replica, member, 6)).toBe('accepted');
  });

  it.each([
    ['workday', workdayIn],
    ['workmonth', workmonthIn],
  ])('leaves a %s alone that an import moved to another employee while its own was deleted', async (_, lineIn) => {
    const id = newId();
    const [own, other] = [lineIn(3, id), buildEmployee(ids)];
    await apply(replica, other);
    await apply(replica, own, 5);
    const moveAway = once(() => apply(replica, { ...own, employee_id: other.id }));
    const slow = replica.meanwhile({
      months: {
        async save(writes) {
          await moveAway();
          return replica.months.save(writes);
        },
      },
    });
    await apply(slow, buildDeletion(employee), 7);
    expect(await apply(replica, own, 5)).toBe('accepted');
    const [month] = await replica.months.ofEmployee(institution.id, other.id);
    expect(month?.record?.id ?? month?.workdays?.[0]?.id).toBe(id);
  });

  it('does not bring a department back that was deleted with its institution', async () => {
    const closed = buildInstitution();
    const department = buildDepartment({ institution_id: closed.id });
    await apply(replica, closed);
    await apply(replica, department, 5);
    await apply(replica, buildDeletion(closed));
    await apply(replica, closed);
    expect(await apply(replica, department, 5)).toBe('overtaken');
    expect(await apply(replica, department)).toBe('accepted');
    expect(await apply(replica, department, 5)).toBe('overtaken');
    expect(await replica.records.existing('department', [{ institutionId: closed.id, id: department.id }])).toHaveProperty('size', 1);
  });

  it('is accepted if what it referenced was deleted after it was written', async () => {
    const department = buildDepartment(ids);
    await apply(replica, department);
    const assigned = { ...employee, department_id: department.id };
    expect(await apply(replica, assigned, 8)).toBe('accepted');
    expect(await apply(replica, { kind: 'department', ...ids, id: department.id, deleted: true })).toBe('accepted');
    expect(await apply(replica, assigned, 8)).toBe('accepted');
    const stored = (await replica.records.load('employee', [{ institutionId: institution.id, id: employee.id }])).get(
      nameOf({ institutionId: institution.id }, employee.id),
    );
    expect(stored?.fields).toMatchObject({ department_id: null });
  });

  it.each([
    ['workday', workdayIn],
    ['workmonth', workmonthIn],
  ])('completes the move of a %s that was interrupted', async (_, lineIn) => {
    const id = newId();
    await apply(replica, lineIn(3, id), 5);
    const killed = replica.meanwhile({
      months: {
        async save(writes) {
          await replica.months.save(writes);
          throw new Error('killed');
        },
      },
    });
    await expect(apply(killed, lineIn(4, id), 6)).rejects.toThrow('killed');
    expect(await places()).toEqual([
      [3, id],
      [4, id],
    ]);
    expect(await apply(replica, lineIn(4, id), 6)).toBe('accepted');
    expect(await places()).toEqual([[4, id]]);
  });
});
