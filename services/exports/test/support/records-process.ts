import { join } from 'node:path';
import { recordsV1 } from '@stechuhr/contracts';
import { importLines } from '@stechuhr/records-client';
import { createGrpcClient } from '@stechuhr/service';
import { startServiceProcess, type TestServers } from '@stechuhr/testing';

/** The real compiled records service in a separate process. */
export interface RecordsProcess {
  readonly address: string;
  /** Imports lines. Fails if one is rejected. */
  importLines(lines: readonly object[]): Promise<void>;
  stop(): Promise<void>;
}

const MAIN = join(import.meta.dirname, '../../../records/dist/main.js');

export async function startRecords(servers: TestServers): Promise<RecordsProcess> {
  const env = {
    MONGODB_URL: servers.mongodbUrl,
    MONGODB_DATABASE: servers.database('records'),
    NATS_URL: servers.natsUrl,
    REDIS_URL: servers.redisUrl,
  };
  const { address, stop } = await startServiceProcess({ main: MAIN, env });
  const client = createGrpcClient(recordsV1.RecordsServiceClient, address);
  return {
    address,
    importLines: (lines) => importLines(client, lines),
    async stop() {
      client.close();
      await stop();
    },
  };
}
