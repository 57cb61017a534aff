import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';

const MAIN = path.resolve(import.meta.dirname, '../../dist/main.js');

/** The result of a command. */
export interface Ended {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Called {
  readonly env?: Readonly<Record<string, string>>;
  /** Piped to standard input. */
  readonly input?: string | Uint8Array;
  readonly cwd?: string;
  /** Node options in front of the script. */
  readonly nodeOptions?: readonly string[];
}

/** Runs the built command line in its own process, with exactly the environment that the test passes. */
export async function stechuhr(args: readonly string[], { env = {}, input, cwd, nodeOptions = [] }: Called = {}): Promise<Ended> {
  const child = spawn(process.execPath, [...nodeOptions, MAIN, ...args], {
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], STECHUHR_HOME: '/nonexistent', ...env },
    ...(cwd === undefined ? {} : { cwd }),
  });
  // A command that fails does not read the rest of its input.
  pipeline(Readable.from(input === undefined ? [] : [input], { objectMode: false }), child.stdin).catch(() => undefined);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { exitCode: child.exitCode, stdout, stderr };
}
