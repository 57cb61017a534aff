import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cached, type Cache } from './cached.js';
import { verifyChecksum } from './checksum.js';

let cache: Cache;
beforeEach(() => {
  cache = { folder: mkdtempSync(join(tmpdir(), 'stechuhr-cache-')), log: () => {} };
});
afterEach(() => rmSync(cache.folder, { recursive: true, force: true }));

const thing = (make: (folder: string) => Promise<void>): Parameters<typeof cached>[1] => ({ name: 'thing-1', what: 'making', make });

describe('cached', () => {
  it('builds an item once for all concurrent callers', async () => {
    let made = 0;
    const item = thing(async (folder) => {
      made++;
      await new Promise((resolve) => setImmediate(resolve));
      writeFileSync(join(folder, 'program'), 'x');
    });
    const folders = await Promise.all([cached(cache, item), cached(cache, item), cached(cache, item)]);
    expect(new Set(folders).size).toBe(1);
    expect(readFileSync(join(folders[0], 'program'), 'utf8')).toBe('x');
    expect(made).toBe(1);
  });

  it('leaves nothing of what failed, and tries again', async () => {
    const failing = thing(async (folder) => {
      writeFileSync(join(folder, 'half'), 'x');
      throw new Error('connection lost');
    });
    await expect(cached(cache, failing)).rejects.toThrow('connection lost');
    expect(readdirSync(cache.folder)).toEqual([]);
    await cached(
      cache,
      thing(async () => {}),
    );
    expect(existsSync(join(cache.folder, 'thing-1'))).toBe(true);
  });

  it('advises another folder if this one cannot be created', async () => {
    const file = join(cache.folder, 'file');
    writeFileSync(file, '');
    const inFile = cached(
      { ...cache, folder: join(file, 'stechuhr') },
      thing(async () => {}),
    );
    await expect(inFile).rejects.toThrow(/stechuhr cannot hold downloads, choose another folder by STECHUHR_CACHE: .*/);
  });

  it('takes over from a process that was killed in the middle', async () => {
    writeFileSync(join(cache.folder, 'thing-1.lock'), JSON.stringify({ pid: process.pid, startedAt: 'another boot:1' }));
    mkdirSync(join(cache.folder, 'thing-1.draft-abc'));
    await expect(
      cached(
        cache,
        thing(async () => {}),
      ),
    ).resolves.toBe(join(cache.folder, 'thing-1'));
    expect(readdirSync(cache.folder)).toEqual(['thing-1']);
  });
});

describe('verifyChecksum', () => {
  it('refuses a file that is not the known one', () => {
    const file = join(cache.folder, 'wheel');
    writeFileSync(file, 'abc');
    verifyChecksum(file, 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    writeFileSync(file, 'abd');
    expect(() => verifyChecksum(file, 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')).toThrow('not used');
  });
});
