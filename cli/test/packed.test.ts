import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';

const run = promisify(execFile);
const ROOT = path.resolve(import.meta.dirname, '../..');
let folder: string;

// Inside the repository, where third-party packages are resolved; our own come from the packed file.
beforeAll(async () => {
  folder = await mkdtemp(path.join(ROOT, 'cli/dist/packed-'));
});
afterAll(() => rm(folder, { recursive: true }));

it('the packed command line has all of our libraries in it, and runs', async () => {
  await run(process.execPath, [path.join(ROOT, 'scripts/pack-cli.mjs'), folder]);
  const [file = ''] = await readdir(folder);
  await run('tar', ['-xzf', file], { cwd: folder });
  expect((await readdir(path.join(folder, 'package/node_modules/@stechuhr'))).toSorted()).toEqual([
    'bus',
    'contracts',
    'demo-firm',
    'exporting',
    'gateway',
    'kernel',
    'mongo',
    'objectstore',
    'redis',
    'service',
    'worktime',
  ]);
  const program = path.join(folder, 'package/bin/stechuhr.mjs');
  const { stdout } = await run(process.execPath, [program, 'demo', '--employees', '1', '--months', '1', '--output', '-'], { cwd: '/' });
  expect(JSON.parse(stdout.slice(0, stdout.indexOf('\n')))).toMatchObject({ kind: 'institution' });
});
