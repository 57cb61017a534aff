import { describe, expect, it } from '@jest/globals';
import { readSlices, type ReadSlice } from './read-slices.js';

describe('readSlices', () => {
  it('reads slices that are too large in halves, and keeps the order', async () => {
    const asked: string[] = [];
    const read: ReadSlice = async (ids) => {
      asked.push(ids.join(''));
      return Promise.resolve(ids.length > 2 ? undefined : [Buffer.from(ids.join(''))]);
    };
    const found: string[] = [];
    for await (const message of readSlices([['a', 'b'], ['c', 'd', 'e', 'f', 'g'], ['h']], read))
      found.push(Buffer.from(message).toString());
    expect(found).toEqual(['ab', 'cd', 'e', 'fg', 'h']);
    expect(asked.toSorted()).toEqual(['ab', 'cd', 'cde', 'cdefg', 'e', 'fg', 'h']);
  });
});
