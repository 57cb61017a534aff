import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@stechuhr/testing';

const LOCK = new URL('../../../scripts/bootstrap/lock.mjs', import.meta.url).href;
/** Takes the lock, says so, and keeps it for as long as it runs. */
const HOLD = `import { withLock } from '${LOCK}';
try {
  await withLock(process.argv[1], () => { console.log('holds'); return new Promise(() => setInterval(() => {}, 1e6)); });
} catch (error) {
  console.log(error.constructor.name + ': ' + error.message);
}`;

let folder: string;
let lock: string;
let started: ChildProcess[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stechuhr-lock-'));
  lock = join(folder, 'lock');
  started = [];
});
afterEach(async () => {
  await Promise.all(started.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null).map(killed));
  await rm(folder, { recursive: true });
});

/** Starts a process that waits for the lock. */
function holder(): { readonly child: ChildProcess; output(): string } {
  const child = spawn(process.execPath, ['--input-type=module', '-e', HOLD, lock], { stdio: ['ignore', 'pipe', 'pipe'] });
  started.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  return { child, output: () => output };
}

async function killed(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

describe('the lock of the bootstrap scripts', () => {
  it('is waited for while its holder runs, and taken when the holder was killed', async () => {
    const first = holder();
    await waitFor(() => first.output() === 'holds\n');
    const second = holder();
    await waitFor(() => second.output().includes(`process ${String(first.child.pid)} is preparing this checkout, waiting for it`));
    await killed(first.child);
    await waitFor(() => second.output().endsWith('holds\n'));
  });

  // A container that was killed and is started again gives the same pids to the same programs.
  it('is taken when the pid of a killed holder belongs to another process', async () => {
    const first = holder();
    await waitFor(() => first.output() === 'holds\n');
    await killed(first.child);
    const content = await readFile(lock, 'utf8');
    await writeFile(lock, content.replace(String(first.child.pid), String(process.pid)));
    const second = holder();
    await waitFor(() => second.output() === 'holds\n');
    expect(await readFile(lock, 'utf8')).toMatch(new RegExp(`^${String(second.child.pid)}\\b`));
  });

  // As in a checkout that is mounted read-only. Permissions do not stop the root user, so the test puts a file in the place of the folder.
  it('says which folder cannot be written to, instead of a stack trace', async () => {
    await writeFile(join(folder, 'file'), '');
    lock = join(folder, 'file', 'lock');
    const { output } = holder();
    await waitFor(() => output().startsWith('Advice: '));
    expect(output()).toContain(
      `${join(folder, 'file')} must be writable, because this command has to prepare something there first: Error: E`,
    );
  });
});
