import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createCountedLimit, type CountedLimit } from './counted-limit.js';

/** Replicas with the same documents, of one owner. Counting and creating take a turn of the event loop. */
function replicas(number: number, max: number) {
  const state = { documents: 0, counts: 0 };
  const count = async (_: string, upTo: number) => {
    state.counts += 1;
    const counted = state.documents;
    await setImmediate();
    return Math.min(counted, upTo);
  };
  const limits = Array.from({ length: number }, () => createCountedLimit({ max, count }));
  const create = async (limit: CountedLimit) => {
    if (!(await limit.hasRoom('owner'))) return false;
    await setImmediate();
    state.documents += 1;
    return true;
  };
  const createMany = (limit: CountedLimit, many: number) => Promise.all(Array.from({ length: many }, () => create(limit)));
  return { state, limits, create, createMany };
}

describe('createCountedLimit', () => {
  it('counts for every hundredth document, and for each of the last two hundred', async () => {
    const { state, limits, create } = replicas(1, 10_000);
    const [limit] = limits as [CountedLimit];
    while (state.documents < 9_797) await create(limit);
    // Each count allows 101 documents, the counted one included.
    expect(state.counts).toBe(97);
    state.counts = 0;
    while (await create(limit));
    expect(state.documents).toBe(10_000);
    // At 9,797, with 203 left, once more for 101 documents; then for each of 102, and for the one that is refused.
    expect(state.counts).toBe(104);
  });

  it('counts again after a refusal, so that there is room after a deletion', async () => {
    const { state, limits, create } = replicas(1, 3);
    const [limit] = limits as [CountedLimit];
    for (const expected of [true, true, true, false, false]) expect(await create(limit)).toBe(expected);
    state.documents -= 1;
    expect(await create(limit)).toBe(true);
    expect(await create(limit)).toBe(false);
  });

  it.each([60, 250, 1_000])('of %i allows no more after as many were created a hundred at a time', async (max) => {
    const { state, limits, create, createMany } = replicas(1, max);
    const [limit] = limits as [CountedLimit];
    while (state.documents + 100 <= max) await createMany(limit, 100);
    await createMany(limit, max - state.documents);
    expect(state.documents).toBe(max);
    expect(await create(limit)).toBe(false);
  });

  it('is exceeded by at most a hundred for each further replica', async () => {
    const steps = fc.array(fc.record({ at: fc.nat({ max: 3 }), many: fc.integer({ min: 1, max: 300 }) }), { minLength: 1, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 1_500 }), steps, async (max, order) => {
        const { state, limits, create } = replicas(4, max);
        for (const { at, many } of order) for (let one = 0; one < many; one += 1) await create(limits[at] as CountedLimit);
        expect(state.documents).toBeLessThanOrEqual(max + 300);
      }),
      { numRuns: 20 },
    );
  });

  it('counts each owner separately', async () => {
    const counted: string[] = [];
    const limit = createCountedLimit({ max: 5_000, count: (owner) => Promise.resolve(counted.push(owner) * 0) });
    for (const owner of ['a', 'b', 'a', 'b', 'a', 'b']) expect(await limit.hasRoom(owner)).toBe(true);
    expect(counted).toEqual(['a', 'b']);
  });

  it('fails if the documents cannot be counted', async () => {
    const limit = createCountedLimit({ max: 5, count: () => Promise.reject(new Error('down')) });
    await expect(limit.hasRoom('owner')).rejects.toThrow('down');
  });
});
