import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { waitFor } from '@stechuhr/testing';

const PROCESSES = new URL('../../../scripts/bootstrap/processes.mjs', import.meta.url).href;
const RUNNING = "console.log('running'); setInterval(() => {}, 1e6);";
/** Prints what stops it. */
const PLATFORM = `process.on('SIGTERM', () => { console.log('stopped'); process.exit(); }); ${RUNNING}`;
/** Ends without stopping its child, as Jest does with its workers. */
const JEST = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(PLATFORM)}], { stdio: 'inherit' });`;
const inFolder = { cwd: fileURLToPath(new URL('.', import.meta.url)) };

const script = (run: string, program: string) =>
  `import { ${run} } from '${PROCESSES}'; process.exitCode = await ${run}(process.execPath, ['-e', ${JSON.stringify(program)}], process.env)`;

/**
 * Starts it, waits until it runs and sends it SIGTERM.
 * @returns what was printed until all processes had ended
 */
async function ended(args: readonly string[]): Promise<{ output: string; code: unknown }> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], ...inFolder });
  const exit = once(child, 'exit') as Promise<[unknown]>;
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  await waitFor(() => output.includes('running'));
  child.kill('SIGTERM');
  await once(child.stdout, 'close');
  return { output, code: (await exit)[0] };
}

it('a command stops when npm, which runs it, is gone', async () => {
  // Like npm: runs the script, and does not stop it when npm itself is ended.
  const npm = `require('node:child_process').spawn(process.execPath, ['--input-type=module', '-e', ${JSON.stringify(script('runInForeground', PLATFORM))}], { stdio: 'inherit' })`;
  expect(await ended(['-e', npm])).toEqual({ output: 'running\nstopped\n', code: null });
});

it('the children of a command that a signal ended stop too', async () => {
  expect(await ended(['--input-type=module', '-e', script('runWithChildren', JEST)])).toEqual({ output: 'running\nstopped\n', code: 143 });
});
