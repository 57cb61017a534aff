import { join } from 'node:path';
import { startServiceProcess, type ServiceProcess, type TestServers } from '@stechuhr/testing';

const MAIN = join(import.meta.dirname, '../../../tasks/dist/main.js');
/** Not used, because without a worker no file is stored. */
const NO_STORE = { S3_ENDPOINT: 'http://127.0.0.1:9', S3_ACCESS_KEY: 'a', S3_SECRET_KEY: 's', S3_BUCKET: 'files' };

/** Starts the real compiled tasks service in a separate process. */
export function startTasks(servers: TestServers): Promise<ServiceProcess> {
  // Without workers, tasks stay open.
  const env = {
    ...NO_STORE,
    JOBS_PER_INSTITUTION: '1000',
    MONGODB_URL: servers.mongodbUrl,
    MONGODB_DATABASE: servers.database('tasks'),
    NATS_URL: servers.natsUrl,
  };
  return startServiceProcess({ main: MAIN, env });
}
