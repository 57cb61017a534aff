import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const ASK = `import { lockfileDrift } from ${JSON.stringify(join(ROOT, 'scripts/bootstrap/lockfile.mjs'))};
process.stdout.write(JSON.stringify(lockfileDrift(process.argv[1])));`;

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stechuhr-lockfile-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Checks a folder with these manifests, whose lockfile has `left-pad` 1.0.0 and a workspace without dependencies. */
async function driftOf(manifest: object, workspace: object): Promise<unknown> {
  const packages = { '': { name: 'a', dependencies: { 'left-pad': '1.0.0' } }, 'libs/b': { name: '@a/b', version: '1.0.0' } };
  await mkdir(join(folder, 'libs/b'), { recursive: true });
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify({ packages }));
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'libs/b/package.json'), JSON.stringify(workspace));
  return drift(folder);
}

async function drift(of: string): Promise<unknown> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', ASK, of]);
  return JSON.parse(stdout);
}

describe('the lockfile', () => {
  it('matches the manifests of this repository', async () => {
    expect(await drift(ROOT)).toEqual([]);
  });

  it.each<[string, object, object, string[]]>([
    ['accepts a matching lockfile', { name: 'a', dependencies: { 'left-pad': '1.0.0' } }, { name: '@a/b', version: '1.0.0' }, []],
    [
      'reports a missing package',
      { name: 'a', dependencies: { 'left-pad': '1.0.0', x: '1.0.0' } },
      { name: '@a/b', version: '1.0.0' },
      ['package-lock.json has other dependencies than package.json'],
    ],
    [
      'reports another version',
      { name: 'a', dependencies: { 'left-pad': '1.0.1' } },
      { name: '@a/b', version: '1.0.0' },
      ['package-lock.json has other dependencies than package.json'],
    ],
    [
      'reports a missing dependency of a workspace',
      { name: 'a', dependencies: { 'left-pad': '1.0.0' } },
      { name: '@a/b', version: '1.0.0', devDependencies: { x: '1.0.0' } },
      ['package-lock.json has other devDependencies than libs/b/package.json'],
    ],
  ])('%s', async (_what, manifest, workspace, said) => {
    expect(await driftOf(manifest, workspace)).toEqual(said);
  });

  it('lacks a workspace that was added', async () => {
    await mkdir(join(folder, 'libs/c'), { recursive: true });
    await mkdir(join(folder, 'd'), { recursive: true });
    await writeFile(join(folder, 'libs/c/package.json'), '{ "name": "@a/c" }');
    await writeFile(join(folder, 'd/package.json'), '{ "name": "@a/d" }');
    const root = { name: 'a', dependencies: { 'left-pad': '1.0.0' }, workspaces: ['libs/*', 'd'] };
    expect(await driftOf(root, { name: '@a/b', version: '1.0.0' })).toEqual([
      'package-lock.json does not list libs/c/package.json',
      'package-lock.json does not list d/package.json',
    ]);
  });
});
