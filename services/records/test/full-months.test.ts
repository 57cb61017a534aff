import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  buildDeletion,
  buildEmployee,
  buildInstitution,
  buildTimespan,
  buildWorkday,
  testServers,
  type TestServers,
} from '@stechuhr/testing';
import type { MonthStore } from '../src/operations/ports.js';
import { apply, applyAll, startReplica, type Replica } from './support/replica.js';

const institution = buildInstitution();
const ids = { institution_id: institution.id };

/** Returns workdays of 60 kB, which fill a month. */
function fullMonth({ id }: { readonly id: string }, month: string) {
  const date = `2026-${month}-02`;
  const times = { started_at: `${date}T06:00:00`, ended_at: `${date}T12:00:00` };
  return Array.from({ length: 30 }, () => {
    const timespans = Array.from({ length: 6 }, () => buildTimespan({ ...times, comment: 'x'.repeat(10_000) }));
    return buildWorkday({ ...ids, ...times, employee_id: id, date, timespans });
  });
}

let servers: TestServers;
let replica: Replica;

beforeAll(async () => {
  servers = await testServers();
  replica = await startReplica(servers, servers.database('records'));
  await apply(replica, institution);
});
afterAll(async () => {
  await replica.close();
  await servers.stop();
});

/** Returns the replica, and the numbers of months that are read with their workdays. */
function counting() {
  const sizes: number[] = [];
  const count = async (read: ReturnType<MonthStore['holding']>) => {
    const months = await read;
    sizes.push(months.length);
    return months;
  };
  const context = replica.meanwhile({
    months: {
      holding: (named) => count(replica.months.holding(named)),
      ofEmployee: (institutionId, employeeId) => count(replica.months.ofEmployee(institutionId, employeeId)),
    },
  });
  return { context, sizes };
}

async function store(...lines: readonly object[]): Promise<void> {
  await applyAll(
    replica,
    lines.map((line) => ({ line })),
  );
}

describe('many months of usual size', () => {
  it('are read together up to four megabytes', async () => {
    const staff = Array.from({ length: 60 }, () => buildEmployee(ids));
    const workdays = staff.map((employee) => fullMonth(employee, '03').slice(0, 2));
    await store(...staff);
    await store(...workdays.flat());
    const { context, sizes } = counting();
    const changed = workdays.map(([first]) => ({ line: { ...first, started_at: '2026-03-02T05:00:00' } }));
    expect(await applyAll(context, changed)).toEqual(staff.map(() => 'accepted'));
    // A month has 122 kB.
    expect(sizes).toEqual([34, 26]);
  });
});

describe('months of two megabytes', () => {
  it('are read a few at a time, however many of them a batch changes', async () => {
    const staff = Array.from({ length: 6 }, () => buildEmployee(ids));
    await store(...staff);
    const first: ReturnType<typeof fullMonth> = [];
    for (const employee of staff) {
      const workdays = fullMonth(employee, '03');
      await store(...workdays);
      first.push(...workdays.slice(0, 1));
    }
    const { context, sizes } = counting();
    const live = (lines: readonly object[], from: number) => lines.map((line, at) => ({ line, sequence: from + at }));
    const changed = first.map((workday) => ({ ...workday, started_at: '2026-03-02T05:00:00' }));
    expect(await applyAll(context, live(changed, 1))).toEqual(staff.map(() => 'accepted'));
    expect(await applyAll(context, live(changed.map(buildDeletion), 11))).toEqual(staff.map(() => 'accepted'));
    for (const { id } of staff) {
      const [month] = await replica.months.ofEmployee(institution.id, id);
      expect(month?.workdays).toHaveLength(29);
    }
    // Two of them have less than twice the maximum.
    expect(Math.max(...sizes)).toBe(2);
  });

  it('are read one at a time when their employee is deleted', async () => {
    const employee = buildEmployee(ids);
    await store(employee);
    for (const month of ['03', '04']) await store(...fullMonth(employee, month));
    const { context, sizes } = counting();
    expect(await apply(context, buildDeletion(employee))).toBe('accepted');
    expect(sizes).toEqual([1, 1, 0]);
  });
});
