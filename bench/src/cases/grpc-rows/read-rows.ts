import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Outcome, RunInput } from '../../harness/types.js';
import { Received } from './rows.js';

interface Addresses {
  readonly grpc: string;
  readonly tcp: number;
}

/** Reads all rows from another process. The time includes connecting, but not the start of the process. */
export async function readRows({ size }: RunInput, read: (addresses: Addresses, received: Received) => Promise<void>): Promise<Outcome> {
  const server = fork(fileURLToPath(new URL('./server.js', import.meta.url)), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const [addresses] = (await once(server, 'message')) as [Addresses];
  const received = new Received();
  const startedAt = performance.now();
  await read(addresses, received);
  const wallMs = performance.now() - startedAt;
  const ended = once(server, 'exit');
  server.disconnect();
  await ended;
  if (received.rows !== size) throw new Error(`Received ${received.rows} rows instead of ${size}.`);
  return { digest: received.digest, values: { wallMs } };
}
