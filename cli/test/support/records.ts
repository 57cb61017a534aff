import path from 'node:path';
import { startServiceProcess, testServers, type TestServers } from '@stechuhr/testing';

const ROOT = path.resolve(import.meta.dirname, '../../..');

/** A running records service with its own servers. */
export interface RunningRecords {
  readonly servers: TestServers;
  /** Environment for the command line to find it and the token stores. */
  readonly env: Readonly<Record<string, string>>;
  readonly address: string;
  stop(): Promise<void>;
}

/** Starts the built records service. `env` is added to its environment. */
export async function startRecords(
  env: Readonly<Record<string, string>> = {},
  nodeOptions: readonly string[] = [],
): Promise<RunningRecords> {
  const servers = await testServers();
  const records = await startServiceProcess({
    main: path.join(ROOT, 'services/records/dist/main.js'),
    env: {
      MONGODB_URL: servers.mongodbUrl,
      MONGODB_DATABASE: servers.database('records'),
      NATS_URL: servers.natsUrl,
      REDIS_URL: servers.redisUrl,
      ...env,
    },
    nodeOptions,
  });
  return {
    servers,
    address: records.address,
    env: {
      RECORDS_ADDRESS: records.address,
      NATS_URL: servers.natsUrl,
      MONGODB_URL: servers.mongodbUrl,
      REDIS_URL: servers.redisUrl,
      GATEWAY_DATABASE: servers.database('gateway'),
    },
    async stop() {
      await records.stop();
      await servers.stop();
    },
  };
}
