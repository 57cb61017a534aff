import { describe, expect, it } from '@jest/globals';
import { AppError } from '@stechuhr/kernel';
import { replayPages } from './replay-pages.js';

type Page = Awaited<ReturnType<Parameters<typeof replayPages>[0]>>;

/** Three pages; the call that continues after `broken` fails. */
async function replayed(first: string | null, broken?: string | null) {
  const pages = new Map<string | null, Page>([
    [null, { replayed: 10_000, next: 'a' }],
    ['a', { replayed: 10_000, next: 'b' }],
    ['b', { replayed: 3, next: undefined }],
  ]);
  const notes: string[] = [];
  const replay = async (after: string | null): Promise<Page> => {
    const page = pages.get(after);
    if (page === undefined || after === broken) throw new AppError('unavailable', 'A service is not available.');
    return page;
  };
  const count = await replayPages(replay, first, { note: (text) => void notes.push(text) }).catch((caught: AppError) => caught.code);
  return { count, notes };
}

describe('replayed pages', () => {
  it.each([
    ['from the beginning', null, undefined, { count: 20_003, notes: [] }],
    ['from a delivery on', 'a', undefined, { count: 10_003, notes: [] }],
    ['without a place if the first one fails', null, null, { count: 'unavailable', notes: [] }],
    ['without a new place if the first one after a delivery fails', 'b', 'b', { count: 'unavailable', notes: [] }],
    [
      'up to one that fails',
      null,
      'b',
      { count: 'unavailable', notes: ['20000 events are sent again, but not all. Repeat the command with --after b to continue.'] },
    ],
  ])('are counted %s', async (_, first, broken, expected) => {
    expect(await replayed(first, broken)).toEqual(expected);
  });
});
