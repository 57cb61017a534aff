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
/** Of the firm that is exported. */
const EMPLOYEES = { quick: 2, full: 10 };

/** Four quarters of a core that share a queue do what one of them does, less a tenth for the sharing. */
const ratiosOf = (load: string): readonly Ratio[] => {
  const measure = 'perSecond';
  const repeated = { goal: 'replicas', measure: 'repeatedShare', of: `${load}-4`, to: 0.01, target: 1, note: 'done twice, of all' };
  return [
    { goal: 'replicas', measure, of: `${load}-2`, to: `${load}-1`, target: 1.8, atLeast: true },
    { goal: 'replicas', measure, of: `${load}-4`, to: `${load}-1`, target: 3.4, atLeast: true },
    { goal: 'replicas', measure: 'perCpuSecond', of: `${load}-4`, to: `${load}-1`, target: 0.85, atLeast: true, note: '3.4 of 4' },
    ...(load === 'exports' ? [] : [repeated]),
  ];
};

/** Servers of its own: nobody else takes part in the work. */
async function prepare({ quick }: PrepareOptions): Promise<Prepared> {
  const home = await Home.temporary();
  const infra = await startInfra({ home, own: true });
  const bus = await connectBus({ servers: infra.natsUrl, name: 'bench', logger: createLogger('bench', 'warn') });
  await bus.ensureStreams();
  await bus.close();
  const { mongodbUrl, natsUrl, redisUrl, s3 } = infra;
  const { endpoint, accessKey, secretKey, bucket } = s3;
  const nobody = `127.0.0.1:${await freePort()}`;
  const env = {
    ...{ MONGODB_URL: mongodbUrl, NATS_URL: natsUrl, REDIS_URL: redisUrl },
    ...{ S3_ENDPOINT: endpoint, S3_ACCESS_KEY: accessKey, S3_SECRET_KEY: secretKey, S3_BUCKET: bucket },
    ...{ ABSENCE_RULES_ADDRESS: nobody, TASKS_ADDRESS: nobody, REVIEWS_ADDRESS: nobody, DAILY_REPORTS_ADDRESS: nobody },
    LOG_LEVEL: 'info',
  };
  // What exports read; the relays that are measured have a database of the same name.
  const records = await startService('records', { ...env, MONGODB_DATABASE: 'stechuhr_records_of_exports' });
  const caller = await importFirm(records.address, quick ? EMPLOYEES.quick : EMPLOYEES.full);
  const serverPids = { ...serverPidsIn(home.path), records: records.pid };
  return {
    values: { ...toValues({ env: { ...env, RECORDS_ADDRESS: records.address }, caller }), serverPids },
    notes: ['each replica held to a quarter of a core; servers of their own, MongoDB as in npm start'],
    before: async (variant) => ({ replicas: Number(variant.split('-').at(-1)) }),
    async close() {
      await records.stop();
      await infra.stop();
      await home.close();
    },
  };
}

/** Lines that other services take. */
const OTHERS = /^(daily_report|review)_/;

/** @returns its administrator */
async function importFirm(address: string, employees: number): Promise<commonV1.Caller> {
  const { institutionId, accountId, records } = yearFirm(employees);
  const client = createGrpcClient(recordsV1.RecordsServiceClient, address);
  const ofRecords = [...records].filter((line) => !('kind' in line && OTHERS.test(String(line.kind))));
  await importLines(client, ofRecords);
  client.close();
  return { institutionId, accountId, visibility: { role: commonV1.Role.ROLE_ADMIN, departmentIds: [], projects: undefined } };
}

/** By the list of what was started in a state folder; servers of the environment, or in Docker, are not among them. */
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
    'what a process left behind, done by 1, 2 and 4 replicas: events by records, steps of tasks by tasks; and workbooks by exports and by worker',
  sizes: { quick: 400, full: 12_000 },
  variants: Object.fromEntries(
    LOADS.flatMap((load) =>
      COUNTS.map((count) => [`${load}-${String(count)}`, { module: new URL(`./variants/${load}.js`, import.meta.url) }]),
    ),
  ),
  ratios: LOADS.flatMap(ratiosOf),
  prepare,
};
