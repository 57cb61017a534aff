import { join } from 'node:path';
import { commonV1, dailyReportsV1, recordsV1 } from '@stechuhr/contracts';
import { newId } from '@stechuhr/kernel';
import { importLines } from '@stechuhr/records-client';
import { createGrpcClient, createLogger } from '@stechuhr/service';
import { startServiceProcess, testServers, type TestServers } from '@stechuhr/testing';
import { readConfig } from '../../src/config.js';
import { createDailyReportsService } from '../../src/service.js';

type Overrides = Parameters<typeof createDailyReportsService>[2] & object;

const RECORDS = join(import.meta.dirname, '../../../records/dist/main.js');

/** Addresses are signed without requests to the store. Tests that upload use a real one. */
const NO_STORE = { S3_ENDPOINT: 'http://127.0.0.1:9', S3_ACCESS_KEY: 'access', S3_SECRET_KEY: 'secret-of-the-store', S3_BUCKET: 'bucket' };

/** No work of every minute: on a slow machine it would do what a test is about to do itself. */
export const NO_SWEEPS = { maintenanceMs: 86_400_000, uploadSweepMs: 86_400_000 } as const;

/** The service running in this process with the real records service, and a gRPC client for it. */
export interface RunningDailyReports {
  readonly servers: TestServers;
  readonly client: dailyReportsV1.DailyReportsServiceClient;
  /** `host:port` of its gRPC server. */
  readonly address: string;
  /** The environment to start another replica. */
  readonly environment: Readonly<Record<string, string>>;
  importRecords(lines: readonly object[]): Promise<void>;
  stop(): Promise<void>;
}

export async function startDailyReports(
  env: Readonly<Record<string, string>> = {},
  overrides: Overrides = {},
): Promise<RunningDailyReports> {
  const servers = await testServers();
  const shared = { MONGODB_URL: servers.mongodbUrl, NATS_URL: servers.natsUrl };
  const records = await startServiceProcess({
    main: RECORDS,
    env: { ...shared, REDIS_URL: servers.redisUrl, MONGODB_DATABASE: servers.database('records') },
  });
  const own = {
    ...NO_STORE,
    TASKS_ADDRESS: '127.0.0.1:9',
    RECORDS_ADDRESS: records.address,
    MONGODB_DATABASE: servers.database('daily_reports'),
  };
  const environment = { ...shared, ...own, ...env };
  const logger = createLogger('daily-reports', 'fatal');
  const service = await createDailyReportsService(readConfig(environment), logger, { ...NO_SWEEPS, ...overrides });
  const recordsClient = createGrpcClient(recordsV1.RecordsServiceClient, records.address);
  const address = `127.0.0.1:${String(service.grpcPort)}`;
  const client = createGrpcClient(dailyReportsV1.DailyReportsServiceClient, address);
  return {
    servers,
    client,
    address,
    environment,
    importRecords: (lines) => importLines(recordsClient, lines),
    async stop() {
      client.close();
      recordsClient.close();
      await service.stop();
      await records.stop();
      await servers.stop();
    },
  };
}

/** Returns a caller of an institution who sees these projects, or all. */
export function callerOf(institutionId: string, projectIds?: string[]): commonV1.Caller {
  const projects = projectIds && { projectIds };
  return { institutionId, accountId: newId(), visibility: { role: commonV1.Role.ROLE_ADMIN, departmentIds: [], projects } };
}
