import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const DIST = path.resolve(import.meta.dirname, '../dist');
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'stechuhr-cli-'));
});
afterEach(() => rm(folder, { recursive: true }));

/**
 * Runs a script that prints `ready`, then sends it a signal.
 * @returns how it ended, and what it wrote to the terminal
 */
async function interrupted(script: string, signal: NodeJS.Signals) {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let terminal = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => void (terminal += text));
  const closed = once(child, 'close');
  const isReady = await Promise.race([once(child.stdout, 'data').then(() => true), closed.then(() => false)]);
  if (!isReady) throw new Error(`The script ended before it was ready:\n${terminal}`);
  child.kill(signal);
  const [, endedBy] = await closed;
  return { endedBy, terminal };
}

const load = (file: string): string => `await import('${pathToFileURL(path.join(DIST, file)).href}')`;

describe('a command that is interrupted', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)('gives the terminal back before %s ends it', async (signal) => {
    const script = `process.stderr.isTTY = true;
      const { createProgress } = ${load('import/progress.js')};
      createProgress('importing', 10);
      console.log('ready');`;
    const { endedBy, terminal } = await interrupted(script, signal);
    expect(endedBy).toBe(signal);
    expect(terminal).toContain('\u001b[?25l');
    expect(terminal).toContain('\u001b[?25h');
    expect(terminal.lastIndexOf('\u001b[?7h')).toBeGreaterThan(terminal.lastIndexOf('\u001b[?7l'));
  });

  it('leaves no unfinished file', async () => {
    const script = `const { outputFile } = ${load('output-file.js')};
      const chunks = async function* () {
        yield Buffer.from('first');
        setTimeout(() => console.log('ready'), 50);
        await new Promise((resolve) => setTimeout(resolve, 600_000));
      };
      await outputFile('file.csv')(chunks());`;
    expect(await interrupted(script, 'SIGINT')).toMatchObject({ endedBy: 'SIGINT' });
    expect(await readdir(folder)).toEqual([]);
  });
});
