import { chmod, lstat, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { outputFile } from './output-file.js';

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'stechuhr-output-'));
  file = path.join(folder, 'march.csv');
});
afterEach(() => rm(folder, { recursive: true }));

/** Two chunks, the second of which is held back until it is released. */
function held(letter: string) {
  const { promise, resolve, reject } = Promise.withResolvers<undefined>();
  const begun = Promise.withResolvers<undefined>();
  async function* chunks() {
    yield Buffer.from(letter);
    begun.resolve(undefined);
    await promise;
    yield Buffer.from(letter);
  }
  return {
    chunks: chunks(),
    begun: begun.promise,
    release: () => resolve(undefined),
    fail: () => reject(new Error('The platform failed.')),
  };
}

describe('outputFile', () => {
  it('lets two commands write the same file, which is that of the last one', async () => {
    const [one, other] = [held('1'), held('2')];
    const [first, second] = [outputFile(file)(one.chunks), outputFile(file)(other.chunks)];
    await Promise.all([one.begun, other.begun]);
    other.release();
    await second;
    expect(await readFile(file, 'utf8')).toBe('22');
    one.release();
    await first;
    expect(await readFile(file, 'utf8')).toBe('11');
    expect(await readdir(folder)).toEqual(['march.csv']);
  });

  it('keeps the previous file after a failure, without leftovers', async () => {
    await writeFile(file, 'complete');
    const chunks = held('1');
    const written = outputFile(file)(chunks.chunks);
    await chunks.begun;
    chunks.fail();
    await expect(written).rejects.toThrow('The platform failed.');
    expect(await readdir(folder)).toEqual(['march.csv']);
    expect(await readFile(file, 'utf8')).toBe('complete');
  });

  // 0o666: those of a group may write it, which no usual file mask gives to a new file.
  it.each([0o600, 0o666])('keeps a link, and the rights of the file that it names: %i', async (mode) => {
    await writeFile(file, 'of before');
    await chmod(file, mode);
    const link = path.join(folder, 'link.csv');
    await symlink(file, link);
    await outputFile(link)(['new']);
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
    expect([await readFile(file, 'utf8'), (await stat(file)).mode & 0o777]).toEqual(['new', mode]);
  });

  it('writes to a device', async () => {
    await outputFile('/dev/null')(['nothing']);
    expect((await stat('/dev/null')).isCharacterDevice()).toBe(true);
  });

  it('reports at once if the file cannot be written', () => {
    expect(() => outputFile(folder)).toThrow(`${folder} is a folder.`);
    expect(() => outputFile(path.join(folder, 'no', 'such'))).toThrow('could not be written: ENOENT');
  });
});
