import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** What a developer has in a terminal. */
export interface Running {
  /** All that it has printed. */
  output(): string;
  /** Rejects, with the end of what it printed, when it ends by itself. */
  readonly early: Promise<never>;
  /** Ctrl-C; gives its exit code. */
  interrupt(graceMs: number): Promise<number | null>;
}

const SHOWN = 4_000;

/** Starts a command that goes on until it is told to stop. */
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
