import { describe, expect, it } from '@jest/globals';
import { untilUploaded, watchChunks } from './watch-upload.js';

const NEVER = new Promise<number>(() => undefined);
const signal = new AbortController().signal;
const chunk = new Uint8Array(1);

async function* source(count: number): AsyncGenerator<Uint8Array, void, undefined> {
  for (let n = 0; n < count; n++) yield Promise.resolve(chunk);
}

describe('watchChunks', () => {
  it('reports how long the store is busy: with a chunk, and after the last one', async () => {
    const { chunks, busyMs } = watchChunks(source(1));
    const iterator = chunks[Symbol.asyncIterator]();
    await iterator.next();
    expect(busyMs()).toBeGreaterThan(0);
    await iterator.next();
    expect(busyMs()).toBeGreaterThan(0);
  });

  it('does not count the time in which the store waits for rows', async () => {
    const { chunks, busyMs } = watchChunks(
      (async function* () {
        yield chunk;
        yield NEVER.then(() => chunk);
      })(),
    );
    const iterator = chunks[Symbol.asyncIterator]();
    await iterator.next();
    void iterator.next();
    expect(busyMs()).toBe(0);
  });

  it('counts from the failure of its source', async () => {
    const { chunks, busyMs } = watchChunks(
      (async function* () {
        yield await Promise.reject<Uint8Array>(new Error('no rows'));
      })(),
    );
    await expect(chunks[Symbol.asyncIterator]().next()).rejects.toThrow('no rows');
    expect(busyMs()).toBeGreaterThan(0);
  });
});

describe('untilUploaded', () => {
  it('resolves like the upload', async () => {
    expect(await untilUploaded(Promise.resolve(7), { signal, busyMs: () => 0 })).toBe(7);
    await expect(untilUploaded(Promise.reject(new Error('broken')), { signal, busyMs: () => 0 })).rejects.toThrow('broken');
  });

  it('treats a silent store as unavailable', async () => {
    await expect(untilUploaded(NEVER, { signal, busyMs: () => 101, stallMs: 100 })).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('stops waiting soon after the signal, even if that aborted before', async () => {
    const leave = new AbortController();
    const waiting = untilUploaded(NEVER, { signal: leave.signal, busyMs: () => 0, graceMs: 10 });
    leave.abort(new Error('lost'));
    await expect(waiting).rejects.toThrow('lost');
    await expect(untilUploaded(NEVER, { signal: leave.signal, busyMs: () => 0, graceMs: 10 })).rejects.toThrow('lost');
  });

  it('lets an upload end by itself within the grace period', async () => {
    const leave = new AbortController();
    const { promise, resolve } = Promise.withResolvers<number>();
    const waiting = untilUploaded(promise, { signal: leave.signal, busyMs: () => 0, graceMs: 5_000 });
    leave.abort(new Error('lost'));
    resolve(3);
    expect(await waiting).toBe(3);
  });
});
