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

/** Starts one of the servers of this folder, or a module that is one, in its own process. */
export async function startServer(server: string | URL, orders: object): Promise<StartedServer> {
  const module = typeof server === 'string' ? new URL(`./${server}.js`, import.meta.url) : server;
  const child = fork(module, [], { execArgv: [], env: { ...process.env, NODE_OPTIONS: '' } });
  child.send(orders);
  const [port] = (await once(child, 'message')) as [number];
  return { port, pid: child.pid ?? 0, stop: () => child.kill() };
}

/** How a server starts: it reads its orders and reports the port on which it listens. */
export async function serve<T>(listen: (orders: T) => Promise<number>): Promise<void> {
  process.once('disconnect', () => process.exit());
  const [orders] = (await once(process, 'message')) as [T];
  process.send?.(await listen(orders));
}
