import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startProcess, type ManagedProcess } from '../process/managed-process.js';
import { waitUntil } from '../process/wait-until.js';
import type { Instance, Place, Recipe } from './provider.js';

/** How a server program is launched in one place. */
export interface Launch<A> {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly address: A;
}

/** A server program that is run on this machine. */
export interface Program<A> {
  readonly name: string;
  readonly description: string;
  launch(place: Place): Promise<Launch<A>>;
  /** Resolves when the server at the address answers in its own protocol. */
  probe(address: A): Promise<void>;
}

const READY_TIMEOUT_MS = 60_000;
const GRACE_MS = 10_000;
const SHOWN_LINES = 15;

/** Runs a program as a child process in its own session and waits until it answers. */
export function runProgram<A>(program: Program<A>): Recipe<A> {
  return {
    description: program.description,
    start: async (place) => {
      const { command, args, env, address } = await program.launch(place);
      const logFile = join(place.home.folder('logs'), `${program.name}.log`);
      const spec = { name: program.name, command, args, cwd: place.folder, logFile, graceMs: GRACE_MS };
      const child = await startProcess(env ? { ...spec, env: { ...process.env, ...env } } : spec, place.home);
      try {
        await waitUntil(() => program.probe(address), { timeoutMs: READY_TIMEOUT_MS, unless: failure(child, logFile) });
      } catch (error) {
        await child.kill('SIGKILL');
        throw error;
      }
      return instanceOf(child, address);
    },
  };
}

async function failure(child: ManagedProcess, logFile: string): Promise<never> {
  const { code, signal } = await child.exited;
  const lines = readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-SHOWN_LINES).join('\n');
  throw new Error(`${child.name} ended (${code ?? signal}) before it was ready:\n${lines}`);
}

function instanceOf<A>(child: ManagedProcess, address: A): Instance<A> {
  const died = new Promise<string>((resolve) => {
    void child.exited.then(({ code, signal, asked }) => {
      if (!asked) resolve(`${child.name} ended (${code ?? signal})`);
    });
  });
  return { address, died, stop: () => child.stop(), kill: () => child.kill('SIGKILL') };
}
