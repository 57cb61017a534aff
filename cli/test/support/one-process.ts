import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Called, Ended } from './stechuhr.js';
import type { Command } from './command-host.js';

/** Commands that run one after another in one process. */
export interface OneProcess {
  /** Like `stechuhr`. */
  run(args: readonly string[], called?: Omit<Called, 'nodeOptions'>): Promise<Ended>;
  stop(): Promise<void>;
}

/**
 * Starts a process that runs the built command line for each command as a new process would, but loads its modules only once, which takes most of
 * the time of a command. For tests of what commands do and print; how a process starts and ends is tested with `stechuhr`.
 */
export function oneProcess(): OneProcess {
  const child = fork(path.join(import.meta.dirname, 'command-host.ts'), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] },
    serialization: 'advanced',
  });
  const ended = once(child, 'exit').then(([code]) =>
    Promise.reject<never>(new Error(`The process of the commands ended: ${String(code)}`)),
  );
  ended.catch(() => undefined);
  let last: Promise<unknown> = Promise.resolve();
  const send = async (command: Command): Promise<Ended> => {
    child.send(command);
    const [answer] = (await Promise.race([once(child, 'message'), ended])) as [Ended];
    return answer;
  };
  return {
    run(args, { env = {}, input = '', cwd = process.cwd() } = {}) {
      const command = { args, cwd, input, env: { PATH: process.env['PATH'] ?? '', STECHUHR_HOME: '/nonexistent', ...env } };
      const answer = last.then(() => send(command));
      last = answer.catch(() => undefined);
      return answer;
    },
    async stop() {
      child.disconnect();
      await ended.catch(() => undefined);
    },
  };
}
