import path from 'node:path';
import { startS3 } from '@stechuhr/local-infra';
import { startServiceProcess } from '@stechuhr/testing';
import type { RunningRecords } from './records.js';

const MAIN = path.resolve(import.meta.dirname, '../../../services/daily-reports/dist/main.js');

/** A running daily-reports service with a records service and an object store for photos. */
export interface RunningDailyReports {
  /** Environment for the command line to find it. */
  readonly env: Readonly<Record<string, string>>;
  readonly address: string;
  stop(): Promise<void>;
}

export async function startDailyReports({ servers, address }: RunningRecords): Promise<RunningDailyReports> {
  const s3 = await startS3();
  const { endpoint, accessKey, secretKey, bucket } = s3.address;
  const service = await startServiceProcess({
    main: MAIN,
    env: {
      MONGODB_URL: servers.mongodbUrl,
      MONGODB_DATABASE: servers.database('daily_reports'),
      NATS_URL: servers.natsUrl,
      TASKS_ADDRESS: '127.0.0.1:9',
      RECORDS_ADDRESS: address,
      ...{ S3_ENDPOINT: endpoint, S3_ACCESS_KEY: accessKey, S3_SECRET_KEY: secretKey, S3_BUCKET: bucket },
    },
  });
  return {
    address: service.address,
    env: { DAILY_REPORTS_ADDRESS: service.address },
    async stop() {
      await service.stop();
      await s3.stop();
    },
  };
}
