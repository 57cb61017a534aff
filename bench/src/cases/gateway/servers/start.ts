import { fork } from 'node:child_process';
import { once } from 'node:events';

export interface Bodies {
  readonly unary: string;
  readonly list: string;
}

export interface StartedServer {
  readonly port: number;
  readonly pid: number;
  stop(): void;
}

/** Starts a server in its own process: one of this folder by name, or any other by the URL of its module. */
export async function startServer(server: string | URL, settings: object): Promise<StartedServer> {
  const module = typeof server === 'string' ? new URL(`./${server}.js`, import.meta.url) : server;
  const child = fork(module, [], { execArgv: [], env: { ...process.env, NODE_OPTIONS: '' } });
  child.send(settings);
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${module.pathname} ended (${String(code)}) before it listened`);
  });
  const [port] = (await Promise.race([once(child, 'message'), ended])) as [number];
  return { port, pid: child.pid ?? 0, stop: () => child.kill() };
}

/** Runs in the process of a server: receives its settings and reports the port on which it listens. */
export async function serve<T>(start: (settings: T) => Promise<number>): Promise<void> {
  process.once('disconnect', () => process.exit());
  const [settings] = (await once(process, 'message')) as [T];
  process.send?.(await start(settings));
}
