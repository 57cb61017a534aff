import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { closeSync, createWriteStream, openSync, type WriteStream } from 'node:fs';
import { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { Home } from './home.js';
import { identityOf } from './identity.js';
import { signal } from './terminate.js';

/** What to start, and where its output goes. */
export interface ProcessSpec {
  /** Displayed to the user, and its name in `processes.json`. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  /** The complete environment; that of this process by default. */
  readonly env?: NodeJS.ProcessEnv;
  /** Standard output and error are appended here. */
  readonly logFile: string;
  /** Also called with each line of standard output; the child then depends on this process to read it. */
  readonly onLine?: (line: string) => void;
  /** Time between SIGTERM and SIGKILL in `stop`. */
  readonly graceMs: number;
}

/** How a process ended. */
export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Whether it was ended by `stop` or `kill`, or with its home. */
  readonly asked: boolean;
}

/** A child process that is recorded in its home, so that even a killed starter leaves nothing running for good. */
export interface ManagedProcess {
  readonly name: string;
  readonly pid: number;
  readonly exited: Promise<ProcessExit>;
  /** Sends SIGTERM, and SIGKILL after the grace period; resolves when the process has ended. */
  stop(): Promise<void>;
  /** Sends one signal; resolves when the process has ended because of it. */
  kill(name: NodeJS.Signals): Promise<void>;
}

/**
 * Starts a process in its own session, so that Ctrl-C reaches only the starter, which then ends its children in order. Rejects if the command cannot
 * be run, or not be recorded in its home.
 */
export async function startProcess(spec: ProcessSpec, home: Home): Promise<ManagedProcess> {
  home.assertOpen();
  const log = openSync(spec.logFile, 'a', 0o600);
  const options: SpawnOptions = { detached: true, stdio: ['ignore', spec.onLine ? 'pipe' : log, log], env: spec.env ?? process.env };
  const child = spawn(spec.command, [...spec.args], spec.cwd === undefined ? options : { ...options, cwd: spec.cwd });
  closeSync(log);
  const { pid } = child;
  if (pid === undefined) throw await new Promise<Error>((resolve) => child.once('error', resolve));
  child.once('error', () => {});
  const handle = handleOf(child, pid, spec, home);
  try {
    home.add({ name: spec.name, ...identityOf(pid) });
  } catch (caught) {
    await handle.kill('SIGKILL');
    throw caught;
  }
  forwardLines(child, spec);
  if (home.isTemporary) forget(child);
  return handle;
}

function handleOf(child: ChildProcess, pid: number, spec: ProcessSpec, home: Home): ManagedProcess {
  let asked = false;
  const exited = new Promise<ProcessExit>((resolve) => {
    child.once('exit', (code, name) => {
      // Its children must not outlive it.
      signal(pid, 'SIGKILL', 'group');
      home.remove(pid);
      resolve({ code, signal: name, asked: asked || home.isEnding });
    });
  });
  const kill = async (name: NodeJS.Signals): Promise<void> => {
    asked = true;
    signal(pid, name, name === 'SIGKILL' ? 'group' : 'process');
    await exited;
  };
  const stop = async (): Promise<void> => {
    const timer = setTimeout(() => signal(pid, 'SIGKILL', 'group'), spec.graceMs);
    await kill('SIGTERM');
    clearTimeout(timer);
  };
  return { name: spec.name, pid, exited, stop, kill };
}

/** Allows this process to end while the child still runs. */
function forget(child: ChildProcess): void {
  child.unref();
  if (child.stdout instanceof Socket) child.stdout.unref();
}

function forwardLines({ stdout }: ChildProcess, { onLine, logFile }: ProcessSpec): void {
  if (!onLine || !stdout) return;
  const log = appender(logFile);
  stdout.on('data', (chunk: Buffer) => log.write(chunk)).on('end', () => log.end());
  createInterface({ input: stdout }).on('line', onLine);
}

/** Appends to a file. If the disk is full, only the chunks that cannot be written are lost; writing continues with the next one. */
function appender(path: string): { write(chunk: Buffer): void; end(): void } {
  let stream: WriteStream | undefined;
  return {
    write(chunk) {
      stream ??= createWriteStream(path, { flags: 'a', mode: 0o600 }).on('error', () => (stream = undefined));
      stream.write(chunk);
    },
    end: () => void stream?.end(),
  };
}
