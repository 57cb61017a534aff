import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Fifo } from './fifo.js';

describe('Fifo', () => {
  it('returns items in the order in which they were added, as an array does', () => {
    const step = fc.oneof(fc.record({ add: fc.nat() }), fc.constant({}));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 500, size: 'max' }), (steps) => {
        const fifo = new Fifo<number>();
        const array: number[] = [];
        for (const one of steps) {
          if ('add' in one) {
            fifo.add(one.add);
            array.push(one.add);
          } else expect(fifo.shift()).toBe(array.shift());
          expect([fifo.size, fifo.first]).toEqual([array.length, array[0]]);
        }
      }),
    );
  });

  it('keeps no item that was taken', () => {
    const fifo = new Fifo<object>();
    for (let count = 0; count < 100; count += 1) fifo.add({});
    while (fifo.size > 10) fifo.shift();
    expect(
      Object.values(fifo as unknown as Record<string, unknown>)
        .flat()
        .filter((one) => one instanceof Object),
    ).toHaveLength(10);
  });
});
