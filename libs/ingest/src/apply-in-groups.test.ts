import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, it } from '@jest/globals';
import { AppError } from '@stechuhr/kernel';
import fc from 'fast-check';
import type { Apply } from './apply.js';
import { applyInGroups } from './apply-in-groups.js';
import type { Change } from './kinds/change.js';
import { accepted, overtaken, type Outcome } from './kinds/outcome.js';

const KINDS = [{ name: 'workmonth', excludesOthers: true }] as const;
const CONTENT = { fields: {}, references: [] };
const put = (institutionId: string, id: string, kind = 'workday'): Change => ({ institutionId, id, kind, content: CONTENT });
const removal = (institutionId: string, id: string, kind = 'workday'): Change => ({ institutionId, id, kind, content: null });
const nameOf = ({ institutionId, id }: Change) => `${institutionId}/${id}`;
const isSettled = () => new Promise((resolve) => setImmediate(resolve));

/** Groups that wait until the test ends them, in the order in which they began. */
function stage() {
  const began: string[][] = [];
  const ends: (() => void)[] = [];
  const apply: Apply = async (changes) => {
    const done = Promise.withResolvers<void>();
    began.push(changes.map(nameOf));
    ends.push(() => done.resolve());
    await done.promise;
    return changes.map(() => accepted);
  };
  const applyOne = applyInGroups(apply, KINDS);
  const add = async (...changes: readonly Change[]) => {
    for (const change of changes) void applyOne(change);
    await isSettled();
  };
  const endOne = async () => {
    ends.shift()?.();
    await isSettled();
    await isSettled();
  };
  return { began, add, endOne };
}

const many = (institutionId: string, count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => put(institutionId, `${institutionId}${String(from + index)}`));

describe('applyInGroups', () => {
  it('writes a single change at once, later ones together, and only one group of an institution at a time', async () => {
    const { began, add, endOne } = stage();
    await add(put('A', '0'));
    await add(put('A', '1'));
    await add(put('A', '2'));
    expect(began).toEqual([['A/0']]);
    await endOne();
    expect(began).toEqual([['A/0'], ['A/1', 'A/2']]);
  });

  it('delays another institution by at most one turn, however many changes of the first wait', async () => {
    const { began, add, endOne } = stage();
    await add(...many('A', 10_000));
    await add(put('B', '0'));
    expect(began.map(([first, ...rest]) => [first, rest.length])).toEqual([
      ['A/A0', 249],
      ['B/0', 0],
    ]);
    await add(...['C', 'D', 'E'].flatMap((name) => many(name, 200)));
    expect(began).toHaveLength(3);
    expect(began[2]?.slice(0, 4)).toEqual(['C/C0', 'D/D0', 'E/E0', 'C/C1']);
    await add(put('F', 'F0'));
    expect(began[3]).toEqual(['F/F0']);
    await add(put('G', 'G0'));
    await endOne();
    expect(began[4]?.slice(0, 3)).toEqual(['A/A250', 'G/G0', 'A/A251']);
  });

  it('takes each record once per group, removals in separate groups, and an institution first', async () => {
    const { began, add, endOne } = stage();
    await add(put('A', '1'), put('A', '2'), put('A', '1'), removal('A', '2'), removal('A', '3', 'employee'), put('A', '4'));
    await add(put('A', 'A', 'institution'), put('A', '5'), removal('A', '6'));
    for (let index = 0; index < 6; index += 1) await endOne();
    expect(began).toEqual([['A/1', 'A/2', 'A/4'], ['A/1'], ['A/2'], ['A/3'], ['A/A', 'A/5'], ['A/6']]);
  });

  it('writes changes after those that they depend on', async () => {
    const { began, add, endOne } = stage();
    const naming = (id: string, named: string): Change => {
      const references = [{ field: 'project_id', kind: 'project' as const, id: named }];
      return { ...put('A', id), content: { ...CONTENT, references } };
    };
    const some = [put('A', '1'), removal('A', 'P', 'project'), naming('2', 'P'), naming('3', 'Q'), put('A', '2'), put('A', '4')];
    const workmonths = [put('A', '5', 'workmonth'), removal('A', '6', 'workmonth'), put('A', '7', 'workmonth')];
    await add(...some, removal('A', 'Q', 'project'), ...workmonths);
    for (let index = 0; index < 6; index += 1) await endOne();
    expect(began).toEqual([['A/1', 'A/3', 'A/4', 'A/5'], ['A/P', 'A/Q'], ['A/2'], ['A/2'], ['A/6'], ['A/7']]);
  });

  it('reserves a slot for writes while removals take long', async () => {
    const { began, add } = stage();
    await add(...['A', 'B', 'C', 'D', 'E'].map((name) => removal(name, '1')));
    expect(began).toEqual([['A/1'], ['B/1'], ['C/1']]);
    await add(put('F', '1'));
    expect(began[3]).toEqual(['F/1']);
  });

  it('tries each change of a failed group alone, so that only the faulty one fails', async () => {
    const apply: Apply = async (changes) => {
      if (changes.some(({ id }) => id === 'bad')) throw new Error('no');
      return changes.map(() => accepted);
    };
    const applyOne = applyInGroups(apply, KINDS);
    const settled = await Promise.allSettled(['1', 'bad', '2'].map((id) => applyOne(put('A', id))));
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('fails a whole group at once while the database is unavailable', async () => {
    let calls = 0;
    const applyOne = applyInGroups(async () => {
      calls += 1;
      throw new AppError('unavailable', 'There is no database.');
    }, KINDS);
    const settled = await Promise.allSettled(['1', '2', '3'].map((id) => applyOne(put('A', id))));
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(calls).toBe(1);
  });

  it('applies each change in its own asynchronous context', async () => {
    const storage = new AsyncLocalStorage<string>();
    const applyOne = applyInGroups(async (changes) => {
      for (const change of changes) expect(change.within?.(() => storage.getStore())).toBe(`from ${change.id}`);
      return changes.map(() => accepted);
    }, KINDS);
    await Promise.all(['1', '2', '3'].map((id) => storage.run(`from ${id}`, () => applyOne(put('A', id)))));
    expect.assertions(3);
  });
});

/** Records that exclude each other: each occupies a place, so the order of changes decides which is accepted. */
function store() {
  const records = new Map<string, { readonly place: string; readonly sequence: number }>();
  const deleted = new Map<string, number>();
  const applyOne = (change: Step): Outcome => {
    const { sequence, content } = change;
    const name = nameOf(change);
    const stored = records.get(name);
    if (sequence < Math.max(stored?.sequence ?? 0, deleted.get(name) ?? 0)) return overtaken;
    if (content === null) {
      deleted.set(name, sequence);
      records.delete(name);
      return accepted;
    }
    const { place } = content.fields;
    const holder = [...records].find(([other, record]) => record.place === place && other !== name);
    if (holder !== undefined) return { kind: 'rejected', reason: 'taken' };
    records.set(name, { place, sequence });
    return accepted;
  };
  const apply: Apply = async (changes) => {
    await isSettled();
    return (changes as Step[]).map(applyOne);
  };
  return { records, applyOne, apply };
}

interface Step extends Change {
  readonly sequence: number;
  readonly content: { readonly fields: { readonly place: string }; readonly references: [] } | null;
}

const steps = fc
  .array(
    fc.record({
      institutionId: fc.constantFrom('A', 'B'),
      id: fc.constantFrom('1', '2', '3'),
      place: fc.option(fc.constantFrom('p', 'q', 'r')),
      pause: fc.boolean(),
    }),
    { maxLength: 40 },
  )
  .map((list) =>
    list.map(({ institutionId, id, place, pause }, index) => {
      const content = place === null ? null : { fields: { place: `${institutionId}${place}` }, references: [] as [] };
      return { pause, change: { kind: 'workmonth', institutionId, id, content, sequence: index + 1 } satisfies Step };
    }),
  );

describe('any grouping', () => {
  it('has the same outcomes and stores the same records as one change after the other', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (list) => {
        const [grouped, single] = [store(), store()];
        const applyOne = applyInGroups(grouped.apply, KINDS);
        const outcomes: Promise<Outcome>[] = [];
        for (const { change, pause } of list) {
          outcomes.push(applyOne(change));
          if (pause) await isSettled();
        }
        expect(await Promise.all(outcomes)).toEqual(list.map(({ change }) => single.applyOne(change)));
        expect(grouped.records).toEqual(single.records);
      }),
      { numRuns: 200 },
    );
  });
});
