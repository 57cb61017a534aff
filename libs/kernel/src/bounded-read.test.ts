import { describe, expect, it } from '@jest/globals';
import { boundedRead } from './bounded-read.js';

describe('boundedRead', () => {
  it('does not wait for longer than the limit, and does not begin another read meanwhile', async () => {
    const { promise, resolve } = Promise.withResolvers<number>();
    let reads = 0;
    const read = boundedRead(() => {
      reads += 1;
      return promise;
    }, 1);
    expect([await read(), await read()]).toEqual([undefined, undefined]);
    expect(reads).toBe(1);
    resolve(7);
    expect(await read()).toBe(7);
  });

  it('reads again after a read has ended, also with an error, which it keeps for itself', async () => {
    const results = [Promise.resolve(1), Promise.reject(new Error('no database')), Promise.resolve(3)];
    const read = boundedRead(() => results.shift() ?? Promise.resolve(0));
    expect([await read(), await read(), await read()]).toEqual([1, undefined, 3]);
  });
});
