import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { recordsV1 } from '@stechuhr/contracts';
import { createGrpcClient, readStream } from '@stechuhr/service';
import type { Outcome, Run, RunInput } from '../../harness/types.js';
import { Received } from './rows.js';

interface Addresses {
  readonly grpc: string;
  readonly tcp: number;
}

/** Reads all rows from another process; connecting is part of the time, starting that process is not. */
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
  if (received.rows !== size) throw new Error(`${received.rows} rows came instead of ${size}.`);
  return { digest: received.digest, values: { wallMs } };
}

/** A variant that reads over gRPC; 0 rows a message stands for the messages of records. */
export function grpcRun(batch: number): Run {
  return (input) =>
    readRows(input, async (addresses, received) => {
      const client = createGrpcClient(recordsV1.RecordsServiceClient, addresses.grpc);
      const request = { caller: undefined, employeeIds: [], fromDay: input.size, toDay: batch, parts: [] };
      for await (const message of readStream(client, client.readTimeRecords, request)) received.add(message);
      client.close();
    });
}
