import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '@stechuhr/testing';
import type { RunFile } from '../src/index.js';

const MAIN = join(import.meta.dirname, '..', 'dist', 'main.js');

/** A running `npm start`, without the build. */
export interface Starter {
  readonly child: ChildProcess;
  output(): string;
}

interface StartOptions {
  readonly args?: readonly string[];
  /** Whether file permissions apply to the process even if the test runs as root. */
  readonly unprivileged?: boolean;
}

/** The state folder of a test. */
export interface TestHome {
  readonly path: string;
  /** Starts an empty platform in the folder, on its own servers. */
  start(settings?: NodeJS.ProcessEnv, options?: StartOptions): Starter;
  /** Resolves when this starter has written `run.json`. @throws Error with the output if it ended before */
  ready(starter: Starter): Promise<RunFile>;
  run(): RunFile;
  /** The processes that were started, whether they still run or not. */
  started(): readonly { readonly name: string; readonly pid: number }[];
  remove(): void;
}

export function testHome(): TestHome {
  const path = mkdtempSync(join(tmpdir(), 'stechuhr-start-'));
  const run = (): RunFile => JSON.parse(readFileSync(join(path, 'run.json'), 'utf8')) as RunFile;
  return {
    path,
    run,
    start: (settings = {}, { args = [], unprivileged = false } = {}) => {
      return start(path, settings, [...(unprivileged ? unprivilegedNode() : [process.execPath]), MAIN, ...args]);
    },
    async ready({ child, output }) {
      const ready = await waitFor(() => {
        if (child.exitCode !== null) return { run: undefined };
        return existsSync(join(path, 'run.json')) && run().pid === child.pid && { run: run() };
      });
      if (ready.run === undefined) throw new Error(output());
      return ready.run;
    },
    started: () => JSON.parse(readFileSync(join(path, 'processes.json'), 'utf8')) as [],
    remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** Returns the command for Node; if the test runs as root, without the capabilities that bypass file permissions. */
function unprivilegedNode(): readonly string[] {
  const isRoot = process.getuid?.() === 0;
  return [...(isRoot ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search', '--inh-caps=-all'] : []), process.execPath];
}

function start(home: string, settings: NodeJS.ProcessEnv, [command = '', ...args]: readonly string[]): Starter {
  const env = {
    PATH: process.env['PATH'],
    STECHUHR_HOME: home,
    STECHUHR_CACHE: process.env['STECHUHR_CACHE'],
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
    JDK_JAVA_OPTIONS: process.env['JDK_JAVA_OPTIONS'],
    STECHUHR_DEMO: 'off',
    PORT: '0',
    // Loading it takes a fifth of the start.
    OTEL_SDK_DISABLED: 'true',
  };
  const child = spawn(command, args, { env: { ...env, ...settings }, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  return { child, output: () => output };
}

/** Sends a signal, waits for the end of the process, and returns its exit code. */
export async function end({ child }: Starter, signal: NodeJS.Signals): Promise<number | null> {
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
  return child.exitCode;
}

/** Returns the pids that are still running. A process that has just ended may take a moment to disappear. */
export async function stillRunning(pids: readonly number[]): Promise<number[]> {
  const runs = (pid: number): boolean => {
    try {
      process.kill(pid, 0);
      return true;
    } catch {
      return false;
    }
  };
  await waitFor(() => !pids.some(runs), { timeoutMs: 2_000 }).catch(() => undefined);
  return pids.filter(runs);
}
