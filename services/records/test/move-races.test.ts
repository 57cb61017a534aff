import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  buildDeletion,
  buildEmployee,
  buildInstitution,
  buildWorkday,
  buildWorkmonth,
  testServers,
  waitFor,
  watchSubjects,
  type TestServers,
} from '@stechuhr/testing';
import { formatLocalDate, parseLocalDate } from '@stechuhr/worktime';
import { apply, applyAll, once, startReplica, type Replica } from './support/replica.js';

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
let employee = buildEmployee({ institution_id: institution.id });

beforeEach(async () => {
  employee = buildEmployee({ institution_id: institution.id });
  await apply(replica, institution);
  await apply(replica, employee);
});

/** Returns the months of the employee in which workdays and records are stored. */
async function places(): Promise<string[]> {
  const months = await replica.months.ofEmployee(institution.id, employee.id);
  return months
    .flatMap(({ address, workdays, record }) => [...(workdays ?? []), ...(record === undefined ? [] : [record])].map(() => address.month))
    .map(String)
    .sort();
}

const lines: [string, (month: number, id?: string) => { kind: string; institution_id: string; id: string }][] = [
  [
    'workday',
    (month, id) =>
      buildWorkday({
        institution_id: institution.id,
        employee_id: employee.id,
        date: `2026-0${String(month)}-02`,
        ...(id !== undefined && { id }),
      }),
  ],
  [
    'workmonth',
    (month, id) =>
      buildWorkmonth({ institution_id: institution.id, employee_id: employee.id, year: 2026, month, ...(id !== undefined && { id }) }),
  ],
];

describe.each(lines)('a %s that one replica moves', (_, lineIn) => {
  it('is deleted when another one deletes it', async () => {
    const { id } = lineIn(3);
    const march = lineIn(3, id);
    await apply(replica, march, 5);
    const written = Promise.withResolvers<void>();
    const deleted = Promise.withResolvers<void>();
    let isHeld = true;
    const moving = replica.meanwhile({
      months: {
        async save(writes) {
          const saved = await replica.months.save(writes);
          if (isHeld) {
            isHeld = false;
            written.resolve();
            await deleted.promise;
          }
          return saved;
        },
      },
    });
    let moved: ReturnType<typeof apply> | undefined;
    const whileMoved = async <T>(found: T): Promise<T> => {
      moved ??= apply(moving, lineIn(4, id), 6);
      await written.promise;
      return found;
    };
    const deleting = replica.meanwhile({
      months: {
        holding: async (workdays) => whileMoved(await replica.months.holding(workdays)),
        recordedAs: async (workmonths) => whileMoved(await replica.months.recordedAs(workmonths)),
      },
    });
    await apply(deleting, buildDeletion(march), 7);
    deleted.resolve();
    await moved;
    expect(await places()).toEqual([]);
  });

  it('is deleted with one event if its move was interrupted and the month of its old copy changes meanwhile', async () => {
    const published = await watchSubjects(servers.natsUrl, 'stechuhr.events.*.records.*.deleted');
    try {
      const moved = lineIn(3);
      const other = buildWorkday({ institution_id: institution.id, employee_id: employee.id, date: '2026-03-05' });
      await apply(replica, moved, 5);
      let reads = 0;
      const killed = replica.meanwhile({
        months: {
          loadHeads: (addresses) => (++reads > 1 ? Promise.reject(new Error('killed')) : replica.months.loadHeads(addresses)),
        },
      });
      await expect(apply(killed, lineIn(4, moved.id), 6)).rejects.toThrow('killed');
      expect(await places()).toEqual(['3', '4']);
      const deleting = afterReading(() => apply(replica, other, 7));
      expect(await apply(deleting, buildDeletion(moved), 8)).toBe('accepted');
      // The events of these deletions come after all others of both months.
      const later = buildWorkday({ institution_id: institution.id, employee_id: employee.id, date: '2026-04-05' });
      await apply(replica, later);
      for (const last of [other, later]) await apply(replica, buildDeletion(last));
      const eventsOf = ({ id }: { id: string }) => published.messages.filter(({ text }) => text.includes(id)).length;
      await waitFor(() => [moved, other, later].every((record) => eventsOf(record) > 0));
      expect(eventsOf(moved)).toBe(1);
    } finally {
      await published.stop();
    }
  });

  it('is stored once, in the month of the newer change', async () => {
    const { id } = lineIn(3);
    await apply(replica, lineIn(3, id), 5);
    let newer: ReturnType<typeof apply> | undefined;
    const moving = replica.meanwhile({
      months: {
        async save(writes) {
          newer ??= apply(replica, lineIn(5, id), 7);
          await newer;
          return replica.months.save(writes);
        },
      },
    });
    expect(await apply(moving, lineIn(4, id), 6)).toBe('overtaken');
    expect(await places()).toEqual(['5']);
  });
});

describe('a workmonth that takes the month of another one', () => {
  const [, [, monthIn]] = lines as [unknown, (typeof lines)[number]];

  it.each([
    ['moves', (id: string) => monthIn(4, id), ['3', '4']],
    ['is deleted', (id: string) => buildDeletion(monthIn(3, id)), ['3']],
  ])('waits until that one %s, which another replica may do later', async (_, free, stored) => {
    const [{ id }, taking] = [monthIn(3), monthIn(3)];
    await apply(replica, monthIn(3, id), 5);
    expect(await apply(replica, taking, 7)).toBe('unresolved');
    await apply(replica, free(id), 6);
    expect(await apply(replica, taking, 7)).toBe('accepted');
    expect(await places()).toEqual(stored);
  });
});

/** A replica during whose batch another action happens: after its read and before its write. */
function afterReading(meanwhile: () => Promise<unknown>) {
  const happenOnce = once(meanwhile);
  return replica.meanwhile({
    months: {
      async save(writes) {
        await happenOnce();
        return replica.months.save(writes);
      },
    },
  });
}

describe.each(lines)('a %s that two replicas create in different months', (_, lineIn) => {
  it.each([
    { first: 6, second: 7, outcome: 'accepted', month: '5' },
    { first: 7, second: 6, outcome: 'overtaken', month: '4' },
  ])('is where the newer change put it, once', async ({ first, second, outcome, month }) => {
    const { id } = lineIn(3);
    const creating = afterReading(() => apply(replica, lineIn(4, id), first));
    expect(await apply(creating, lineIn(5, id), second)).toBe(outcome);
    expect(await places()).toEqual([month]);
  });

  it('is stored once after imports', async () => {
    const { id } = lineIn(3);
    const creating = afterReading(() => apply(replica, lineIn(4, id)));
    expect(await apply(creating, lineIn(5, id))).toBe('accepted');
    expect(await places()).toEqual(['5']);
  });
});

describe('a workday of which a killed process left a second copy', () => {
  const [[, lineIn]] = lines as [(typeof lines)[number]];

  /** Lists the workday by its id and among all of its year. */
  async function listed(id: string) {
    const caller = { institutionId: institution.id, accountId: institution.id, departmentIds: null, projectIds: null };
    const days = { from: parseLocalDate('2026-04-02'), until: parseLocalDate('2026-05-02') };
    const filter = { employeeIds: [employee.id], modifiedSince: undefined, q: undefined, archived: undefined, order: [], isBrief: false };
    const page = { ...filter, ...days, offset: 0, limit: 10 };
    const named = await replica.browse.page(caller, 'workdays', { ...page, ids: [id] });
    const all = await replica.browse.page(caller, 'workdays', { ...page, ids: undefined });
    return [named, all].map(({ results }) => results.map(({ record: { date } }) => formatLocalDate(date)));
  }

  it.each([
    ['the newer one in the stream', 7, 6, '2026-04-02'],
    ['the one that a live object wrote', 7, undefined, '2026-04-02'],
    ['that of the later month', undefined, undefined, '2026-05-02'],
  ])('is listed once, as exports count it: %s', async (_, first, second, date) => {
    const { id } = lineIn(3);
    const creating = afterReading(() => apply(replica, lineIn(4, id), first));
    const killed = {
      ...creating,
      months: {
        ...creating.months,
        placesOf: () => Promise.reject(new Error('killed')),
      },
    };
    await expect(apply(killed, lineIn(5, id), second)).rejects.toThrow('killed');
    expect(await places()).toEqual(['4', '5']);
    expect(await listed(id)).toEqual([[date], [date]]);
  });
});

describe.each(lines)('a %s that an import moves', (_, lineIn) => {
  it.each([
    { by: 'an import', sequence: undefined },
    { by: 'a live object', sequence: 6 },
    { by: 'a live object that is delivered again', sequence: 5 },
  ])('is not lost when $by puts it where it was', async ({ sequence }) => {
    const march = lineIn(3);
    await apply(replica, march, 5);
    let saves = 0;
    const moving = replica.meanwhile({
      months: {
        async save(writes) {
          saves += 1;
          // The first write puts it into the new month, the second one removes it from the old one.
          if (saves === 2) await apply(replica, march, sequence);
          return replica.months.save(writes);
        },
      },
    });
    expect(await apply(moving, lineIn(4, march.id))).toBe('accepted');
    expect(await places()).toEqual(['4']);
  });
});

describe.each(lines)('a %s that two imports put into different months', (_, lineIn) => {
  it('is stored once, in whichever order the database returns the months', async () => {
    const { id } = lineIn(3);
    const [read, written, readAgain] = [meetingOfTwo(), meetingOfTwo(), meetingOfTwo()];
    const putInto = (month: number) => {
      const ownFirst = <T extends { address: { month: number } }>(found: readonly T[]): T[] =>
        found.toSorted((a, b) => Number(b.address.month === month) - Number(a.address.month === month));
      const meetings = [read, readAgain].values();
      const checkOnce = once(written);
      const context = replica.meanwhile({
        months: {
          holding: async (workdays) => ownFirst(await replica.months.holding(workdays)),
          recordedAs: async (workmonths) => ownFirst(await replica.months.recordedAs(workmonths)),
          async placesOf(kind, records) {
            await checkOnce();
            return replica.months.placesOf(kind, records);
          },
          async save(writes) {
            await meetings.next().value?.();
            return replica.months.save(writes);
          },
        },
      });
      return apply(context, lineIn(month, id));
    };
    expect(await Promise.all([putInto(4), putInto(5)])).toEqual(['accepted', 'accepted']);
    expect(await places()).toHaveLength(1);
  });
});

/** Returns a function whose first call waits for the second one. */
function meetingOfTwo(): () => Promise<void> {
  const both = Promise.withResolvers<void>();
  let calls = 0;
  return async () => {
    calls += 1;
    if (calls === 2) both.resolve();
    await both.promise;
  };
}

describe('a month that is written between the two reads of a batch', () => {
  it('is used as it was read first, so that a newer write is not overwritten', async () => {
    const [record, workday] = [buildWorkmonth({ ...own(), year: 2026, month: 3 }), buildWorkday({ ...own(), date: '2026-03-02' })];
    await apply(replica, record, 5);
    await apply(replica, workday, 6);
    const moveOnce = once(() => apply(replica, { ...record, month: 5 }, 9));
    const saves: boolean[] = [];
    const reading = replica.meanwhile({
      months: {
        async holding(workdays) {
          await moveOnce();
          return replica.months.holding(workdays);
        },
        async save(writes) {
          const saved = await replica.months.save(writes);
          saves.push(saved);
          return saved;
        },
      },
    });
    const lines = [
      { line: { ...record, opening_balance_minutes: 90 }, sequence: 7 },
      { line: { ...workday, ended_at: '2026-03-02T12:00:00' }, sequence: 8 },
    ];
    expect(await applyAll(reading, lines)).toEqual(['overtaken', 'accepted']);
    expect(saves).toEqual([false, true]);
    expect(await places()).toEqual(['3', '5']);
  });
});

function own() {
  return { institution_id: institution.id, employee_id: employee.id };
}
