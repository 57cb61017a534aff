import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { TurnQueue } from './turn-queue.js';

const queueOf = (items: readonly string[]): TurnQueue<string> => {
  const queue = new TurnQueue<string>();
  for (const item of items) queue.add(item.slice(0, 1), item);
  return queue;
};

describe('TurnQueue', () => {
  it.each([
    { items: ['a1', 'a2', 'a3'], limit: 2, taken: ['a1', 'a2'], then: ['a3'] },
    { items: ['a1', 'a2', 'a3', 'b1'], limit: 2, taken: ['a1', 'b1'], then: ['a2', 'a3'] },
    { items: ['a1', 'a2', 'b1', 'b2', 'c1'], limit: 4, taken: ['a1', 'b1', 'c1', 'a2'], then: ['b2'] },
    { items: ['a1'], limit: 0, taken: [], then: ['a1'] },
    { items: [], limit: 5, taken: [], then: [] },
  ])('takes $limit of $items in turns', ({ items, limit, taken, then }) => {
    const queue = queueOf(items);
    expect(queue.take(limit)).toEqual(taken);
    expect(queue.size).toBe(then.length);
    expect(queue.take(100)).toEqual(then);
  });

  it('takes an item of a new key in the next turn, however many others wait', () => {
    const queue = queueOf(Array.from({ length: 5_000 }, (_, at) => `a${String(at)}`));
    expect(queue.take(1_500)).toHaveLength(1_500);
    queue.add('b', 'b0');
    expect(queue.take(3)).toEqual(['a1500', 'b0', 'a1501']);
  });

  it('is empty after it was cleared', () => {
    const queue = queueOf(['a1', 'b1']);
    queue.clear();
    expect([queue.size, queue.take(5)]).toEqual([0, []]);
  });

  it('hands out each item once, and those of a key in their order', () => {
    const step = fc.oneof(fc.record({ key: fc.constantFrom('a', 'b', 'c') }), fc.record({ take: fc.nat(4) }));
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const queue = new TurnQueue<[string, number]>();
        let number = 0;
        const taken = steps.flatMap((one) => {
          if ('take' in one) return queue.take(one.take);
          queue.add(one.key, [one.key, number++]);
          return [];
        });
        const all = [...taken, ...queue.take(steps.length)];
        expect(all.map(([, at]) => at).sort((a, b) => a - b)).toEqual(Array.from({ length: number }, (_, at) => at));
        for (const ofKey of Map.groupBy(all, ([key]) => key).values()) {
          const numbers = ofKey.map(([, at]) => at);
          expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
        }
      }),
    );
  });
});
