import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** A running command, like in a developer's terminal. */
export interface Running {
  /** Returns the whole output so far. */
  output(): string;
  /** Rejects with the end of the output if the command ends by itself. */
  readonly early: Promise<never>;
  /** Interrupts the command like Ctrl-C, and returns its exit code. */
  interrupt(graceMs: number): Promise<number | null>;
}

const SHOWN = 4_000;

/** Starts a command that runs until it is interrupted. */
export function startRunning(
  command: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Running {
  const child = spawn(command, [...args], { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  let output = '';
  let asked = false;
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  const early = exited.then(([code]) => {
    if (asked) return new Promise<never>(() => {});
    throw new Error(`${command} ${args[0] ?? ''} ended with ${code}:\n${output.slice(-SHOWN)}`);
  });
  early.catch(() => {});
  return {
    output: () => output,
    early,
    interrupt: async (graceMs) => {
      asked = true;
      const hard = setTimeout(() => child.kill('SIGKILL'), graceMs);
      child.kill('SIGINT');
      const [code] = await exited;
      clearTimeout(hard);
      return code;
    },
  };
}
