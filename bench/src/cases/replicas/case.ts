import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectBus } from '@stechuhr/bus';
import { commonV1, recordsV1 } from '@stechuhr/contracts';
import { freePort, Home, startInfra } from '@stechuhr/local-infra';
import { importLines } from '@stechuhr/records-client';
import { createGrpcClient, createLogger } from '@stechuhr/service';
import type { Case, Prepared, PrepareOptions, Ratio } from '../../harness/types.js';
import { yearFirm } from '../../platform/firms.js';
import { toValues } from '../../platform/measured-download.js';
import { startService } from './replica.js';

const COUNTS = [1, 2, 4] as const;
const LOADS = ['relay', 'agenda', 'exports', 'worker'] as const;
/** Employees of the exported firm. */
const EMPLOYEES = { quick: 2, full: 10 };

/**
 * The expected scaling: each of the replicas, limited to a quarter of a core, adds almost its full throughput, minus the cost of
 * coordination.
 */
const ratiosOf = (load: string): readonly Ratio[] => {
  const measure = 'perSecond';
  const repeated = { goal: 'replicas', measure: 'repeatedShare', of: `${load}-4`, to: 0.01, target: 1, note: 'share of work done twice' };
  return [
    { goal: 'replicas', measure, of: `${load}-2`, to: `${load}-1`, target: 1.8, atLeast: true },
    { goal: 'replicas', measure, of: `${load}-4`, to: `${load}-1`, target: 3.4, atLeast: true },
    { goal: 'replicas', measure: 'perCpuSecond', of: `${load}-4`, to: `${load}-1`, target: 0.85, atLeast: true, note: '3.4 of 4' },
    ...(load === 'exports' ? [] : [repeated]),
  ];
};

/** Starts separate servers, so that no other process takes part in the work. */
async function prepare({ quick }: PrepareOptions): Promise<Prepared> {
  const home = await Home.temporary();
  const infra = await startInfra({ home, own: true });
  const bus = await connectBus({ servers: infra.natsUrl, name: 'bench', logger: createLogger('bench', 'warn') });
  await bus.ensureStreams();
  await bus.close();
  const { mongodbUrl, natsUrl, redisUrl, s3 } = infra;
  const { endpoint, accessKey, secretKey, bucket } = s3;
  const unavailable = `127.0.0.1:${await freePort()}`;
  const env = {
    ...{ MONGODB_URL: mongodbUrl, NATS_URL: natsUrl, REDIS_URL: redisUrl },
    ...{ S3_ENDPOINT: endpoint, S3_ACCESS_KEY: accessKey, S3_SECRET_KEY: secretKey, S3_BUCKET: bucket },
    ...{ ABSENCE_RULES_ADDRESS: unavailable, TASKS_ADDRESS: unavailable, REVIEWS_ADDRESS: unavailable, DAILY_REPORTS_ADDRESS: unavailable },
    LOG_LEVEL: 'info',
    ...(quick && { OTEL_SDK_DISABLED: 'true' }),
  };
  // The exports read from this service. Its database has another name than usual, because the measured relays use the usual one.
  const records = await startService('records', { ...env, MONGODB_DATABASE: 'stechuhr_records_of_exports' });
  const caller = await importFirm(records.address, quick ? EMPLOYEES.quick : EMPLOYEES.full);
  const serverPids = { ...serverPidsIn(home.path), records: records.pid };
  return {
    values: { ...toValues({ env: { ...env, RECORDS_ADDRESS: records.address }, caller }), serverPids },
    notes: ['each replica limited to a quarter of a core; separate servers, MongoDB as in npm start'],
    before: async (variant) => ({ replicas: Number(variant.split('-').at(-1)) }),
    async close() {
      await records.stop();
      await infra.stop();
      await home.close();
    },
  };
}

/** Kinds of lines that other services import. */
const KINDS_OF_OTHERS = /^(daily_report|review)_/;

/** Imports the firm. @returns its administrator as caller */
async function importFirm(address: string, employees: number): Promise<commonV1.Caller> {
  const { institutionId, accountId, records } = yearFirm(employees);
  const client = createGrpcClient(recordsV1.RecordsServiceClient, address);
  const ofRecords = [...records].filter((line) => !('kind' in line && KINDS_OF_OTHERS.test(String(line.kind))));
  await importLines(client, ofRecords);
  client.close();
  return { institutionId, accountId, visibility: { role: commonV1.Role.ROLE_ADMIN, departmentIds: [], projects: undefined } };
}

/** Reads the process ids of servers that were started in a state folder. It does not include servers of the environment or in Docker. */
function serverPidsIn(folder: string): Readonly<Record<string, number>> {
  const started = JSON.parse(readFileSync(join(folder, 'processes.json'), 'utf8')) as readonly {
    readonly name: string;
    readonly pid: number;
  }[];
  return Object.fromEntries(started.flatMap(({ name, pid }) => (['mongodb', 'nats'].includes(name) ? [[name, pid]] : [])));
}

export const replicas: Case = {
  name: 'replicas',
  goals: ['replicas'],
  title:
    'throughput of 1, 2 and 4 replicas: records publishes waiting events, tasks runs due steps of tasks, exports and worker write workbooks',
  sizes: { quick: 400, full: 12_000 },
  variants: Object.fromEntries(
    LOADS.flatMap((load) =>
      COUNTS.map((count) => [`${load}-${String(count)}`, { module: new URL(`./variants/${load}.js`, import.meta.url) }]),
    ),
  ),
  // Two replicas already share the work, and do what one does.
  onlyMeasured: LOADS.flatMap((load) => [`${load}-1`, `${load}-4`]),
  ratios: LOADS.flatMap(ratiosOf),
  prepare,
};
