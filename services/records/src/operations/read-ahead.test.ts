import { describe, expect, it } from '@jest/globals';
import { readAhead } from './read-ahead.js';

describe('readAhead', () => {
  it('reads at most one item ahead of the consumer', async () => {
    const started: number[] = [];
    const read = (item: number) => {
      started.push(item);
      return Promise.resolve(item * 10);
    };
    const results = readAhead([1, 2, 3, 4], read);
    expect(await results.next()).toEqual({ value: 10, done: false });
    expect(started).toEqual([1, 2]);
    await results.return(undefined);
    expect(started).toEqual([1, 2]);
  });

  it('throws the error of a read ahead when its result is awaited', async () => {
    const read = (item: number) => (item === 2 ? Promise.reject(new Error('gone')) : Promise.resolve(item));
    const results = readAhead([1, 2], read);
    expect(await results.next()).toEqual({ value: 1, done: false });
    await expect(results.next()).rejects.toThrow('gone');
  });

  it('yields nothing without items', async () => {
    expect(await readAhead([], () => Promise.resolve(1)).next()).toEqual({ value: undefined, done: true });
  });
});
