import { fork } from 'node:child_process';
import { once } from 'node:events';

export interface Bodies {
  readonly unary: string;
  readonly list: string;
}

export interface StartedServer {
  readonly port: number;
  stop(): void;
}

/** Starts one of the servers of this folder in its own process. */
export async function startServer(name: string, orders: object): Promise<StartedServer> {
  const child = fork(new URL(`./${name}.js`, import.meta.url), [], { execArgv: [], env: { ...process.env, NODE_OPTIONS: '' } });
  child.send(orders);
  const [port] = (await once(child, 'message')) as [number];
  return { port, stop: () => child.kill() };
}

/** How a server starts: it reads its orders and reports the port on which it listens. */
export async function serve<T>(listen: (orders: T) => Promise<number>): Promise<void> {
  process.once('disconnect', () => process.exit());
  const [orders] = (await once(process, 'message')) as [T];
  process.send?.(await listen(orders));
}
