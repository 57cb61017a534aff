import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { recordsV1 } from '@stechuhr/contracts';
import { createGrpcClient, openBidi } from '@stechuhr/service';
import type { TestServers } from '@stechuhr/testing';

/** The real records service, compiled, in a process of its own. */
export interface RecordsProcess {
  readonly address: string;
  /** Fails when a line is rejected. */
  importLines(lines: readonly object[]): Promise<void>;
  stop(): Promise<void>;
}

const MAIN = join(import.meta.dirname, '../../../records/dist/main.js');

export async function startRecords(servers: TestServers): Promise<RecordsProcess> {
  const env = {
    ...process.env,
    MONGODB_URL: servers.mongodbUrl,
    MONGODB_DATABASE: servers.database('records'),
    NATS_URL: servers.natsUrl,
    REDIS_URL: servers.redisUrl,
    NODE_OPTIONS: '',
  };
  const child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const address = await readyAddress(createInterface({ input: child.stdout }));
  const client = createGrpcClient(recordsV1.RecordsServiceClient, address);
  return {
    address,
    importLines: (lines) => importAll(client, lines),
    async stop() {
      client.close();
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

async function readyAddress(lines: AsyncIterable<string>): Promise<string> {
  for await (const line of lines) {
    const { msg, grpc } = JSON.parse(line) as { msg?: string; grpc?: string };
    if (msg === 'ready' && grpc !== undefined) return grpc;
  }
  throw new Error('The records service ended before it was ready.');
}

async function importAll(client: recordsV1.RecordsServiceClient, records: readonly object[]): Promise<void> {
  const { write, end, responses } = openBidi(client, client.import);
  await write({ lines: records.map((record, at) => ({ file: '-', line: at + 1, json: JSON.stringify(record) })) });
  end();
  for await (const { event } of responses) {
    if (event?.$case === 'rejected') throw new Error(`Line ${event.value.line} was rejected: ${event.value.reason}`);
  }
}
