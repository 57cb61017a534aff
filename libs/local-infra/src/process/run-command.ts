import { spawn } from 'node:child_process';
import { machineTimeout } from './machine-timeout.js';

/** Options for a command that runs to its end. */
export interface CommandOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** The command is ended and counts as failed after this time, which is extended on a busy machine. */
  readonly timeoutMs?: number;
  /** Ends the command early. */
  readonly signal?: AbortSignal;
}

/** How many lines of a failing command's output are shown. */
const SHOWN_LINES = 12;

/** A required program is missing on this machine, or too old. */
export class MissingProgram extends Error {
  override readonly name = 'MissingProgram';
}

/** Runs a command and returns its standard output. If it fails, rejects with the end of its output. */
export async function runCommand(command: string, args: readonly string[], options: CommandOptions = {}): Promise<string> {
  const { timeoutMs, ...rest } = options;
  const child = spawn(command, [...args], { ...rest, stdio: ['ignore', 'pipe', 'pipe'] });
  // Not the timeout option of spawn: if the command does not exist, its timer remains and keeps this process alive.
  const forget = timeoutMs === undefined ? undefined : machineTimeout(() => child.kill(), timeoutMs);
  // If this process is stopped while it waits, the command must end too.
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
