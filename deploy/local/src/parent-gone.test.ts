import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';

const PROCESSES = new URL('../../../scripts/bootstrap/processes.mjs', import.meta.url).href;
/** Says who it is, and what ends it. */
const PLATFORM =
  "process.on('SIGTERM', () => { console.log('stopped'); process.exit(); }); console.log('running'); setInterval(() => {}, 1e6)";
const SCRIPT = `import { runInForeground } from '${PROCESSES}'; await runInForeground(process.execPath, ['-e', ${JSON.stringify(PLATFORM)}])`;
/** As npm does: runs the script, and leaves it alone when it is ended. */
const NPM = `require('node:child_process').spawn(process.execPath, ['--input-type=module', '-e', ${JSON.stringify(SCRIPT)}], { stdio: 'inherit' })`;

it('a command stops when npm, which runs it, is gone', async () => {
  const npm = spawn(process.execPath, ['-e', NPM], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: fileURLToPath(new URL('.', import.meta.url)),
  });
  let output = '';
  npm.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  while (!output.includes('running')) await once(npm.stdout, 'data');
  npm.kill('SIGTERM');
  // Its output ends when nobody is left who could write to it.
  await once(npm.stdout, 'close');
  expect(output).toBe('running\nstopped\n');
});
