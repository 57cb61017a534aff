import { spawn } from 'node:child_process';
import { machineTimeout } from './machine-timeout.js';

/** Settings of a command that runs to its end. */
export interface CommandOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** It is ended, and counts as failed, after this time, which is longer on a busy machine. */
  readonly timeoutMs?: number;
  /** Ends the command early. */
  readonly signal?: AbortSignal;
}

/** How much of a failing command's output is worth showing. */
const SHOWN_LINES = 12;

/** What would be run is not on this machine, or too old. */
export class MissingProgram extends Error {
  override readonly name = 'MissingProgram';
}

/** Runs a command to its end and gives its standard output; rejects with the end of its output when it fails. */
export async function runCommand(command: string, args: readonly string[], options: CommandOptions = {}): Promise<string> {
  const { timeoutMs, ...rest } = options;
  const child = spawn(command, [...args], { ...rest, stdio: ['ignore', 'pipe', 'pipe'] });
  // Not spawn's own timeout: where there is no such command its timer stays and keeps this process alive.
  const forget = timeoutMs === undefined ? undefined : machineTimeout(() => child.kill(), timeoutMs);
  // A process that is stopped while it waits must not leave the command running.
  const end = (): boolean => child.kill();
  process.once('exit', end);
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (errors += chunk));
  const code = await new Promise<number | NodeJS.Signals | null>((resolve, reject) => {
    child.once('error', (cause: NodeJS.ErrnoException) => {
      reject(cause.code === 'ENOENT' ? new MissingProgram(`no ${command} on PATH`, { cause }) : cause);
    });
    child.once('close', (exitCode, signal) => resolve(exitCode ?? signal));
  }).finally(() => {
    forget?.();
    process.off('exit', end);
  });
  if (code === 0) return output;
  const shown = `${output}\n${errors}`.trim().split('\n').slice(-SHOWN_LINES).join('\n');
  throw new Error(`${command} ${args[0] ?? ''} failed (${code}):\n${shown}`);
}
