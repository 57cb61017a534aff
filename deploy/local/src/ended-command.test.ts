import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { waitFor } from '@stechuhr/testing';

const PROCESSES = new URL('../../../scripts/bootstrap/processes.mjs', import.meta.url).href;
const RUNNING = "console.log('running'); setInterval(() => {}, 1e6);";
/** A program that prints a line when SIGTERM ends it. */
const PLATFORM = `process.on('SIGTERM', () => { console.log('stopped'); process.exit(); }); ${RUNNING}`;
/** A program that ends without stopping its child, as Jest does with its workers. */
const JEST = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(PLATFORM)}], { stdio: 'inherit' });`;
const inFolder = { cwd: fileURLToPath(new URL('.', import.meta.url)) };

const script = (run: string, program: string) =>
  `import { ${run} } from '${PROCESSES}'; process.exitCode = await ${run}(process.execPath, ['-e', ${JSON.stringify(program)}], process.env)`;

/**
 * Starts a process, waits until it runs and sends SIGTERM to it.
 * @returns the exit code, and the output up to the end of the process and of all its descendants
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

it('stops a command when npm, its parent process, has ended', async () => {
  // Like npm, this runs the script but does not stop it when it is ended itself.
  const npm = `require('node:child_process').spawn(process.execPath, ['--input-type=module', '-e', ${JSON.stringify(script('runInForeground', PLATFORM))}], { stdio: 'inherit' })`;
  expect(await ended(['-e', npm])).toEqual({ output: 'running\nstopped\n', code: null });
});

it('stops the children of a command that was ended by a signal', async () => {
  expect(await ended(['--input-type=module', '-e', script('runWithChildren', JEST)])).toEqual({ output: 'running\nstopped\n', code: 143 });
});
