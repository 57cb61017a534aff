import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { commonV1, recordsV1, tasksV1 } from '@stechuhr/contracts';
import { newId } from '@stechuhr/kernel';
import { startS3 } from '@stechuhr/local-infra';
import { connectObjectStore, createAddresses, type ObjectStore } from '@stechuhr/objectstore';
import { importLines } from '@stechuhr/records-client';
import { callUnary, createGrpcClient } from '@stechuhr/service';
import {
  buildAccount,
  buildEmployee,
  buildInstitution,
  buildWorkday,
  clockVariables,
  openTcpGate,
  startServiceProcess,
  testServers,
  untilAvailable,
  waitFor,
  type ServiceProcess,
  type TcpGate,
  type TestServers,
} from '@stechuhr/testing';

type S3 = Awaited<ReturnType<typeof startS3>>;

/** The environment of workers: services as separate processes, gates between them and the workers, and the calls of an account. */
export interface Stage {
  readonly servers: TestServers;
  readonly s3: S3;
  readonly store: ObjectStore;
  /** TCP gates between workers and the services that they call. */
  readonly gates: Readonly<Record<'tasks' | 'records', TcpGate>>;
  /**
   * `kill` ends the tasks service like a crash; `restart` starts it again at the same address. `endLeases` advances its clock by the duration of a
   * lease, so that a lease that is not renewed has ended.
   */
  readonly tasks: { kill(): Promise<void>; restart(): Promise<void>; endLeases(): Promise<void> };
  startWorker(environment?: Readonly<Record<string, string>>): Promise<ServiceProcess>;
  /** Starts a task, by default of an existing account. @returns its id */
  start(parameters?: Readonly<Record<string, string>>, accountId?: string): Promise<string>;
  /** Undefined if the task was deleted or is in error. */
  find(taskId: string): Promise<tasksV1.Task | undefined>;
  delete(taskId: string): Promise<void>;
  /** Waits until the task has finished. @returns the text of its file */
  fileOf(taskId: string): Promise<string>;
  /** Returns the numbers of the attempts that have left a file. */
  filesOf(taskId: string): Promise<number[]>;
  stop(): Promise<void>;
}

export const EMPLOYEES = 100;
export const DAYS = 20;
const SERVICES = join(import.meta.dirname, '../../..');
/** Long enough that a worker on a busy machine does not lose its lease by itself. */
const LEASE_MS = 30_000;
/** Short, for tests that wait for the redelivery of a message. */
const ACK_WAIT = { NATS_ACK_WAIT_SECONDS: '4' };

const mainOf = (service: string) => join(SERVICES, service, 'dist/main.js');

export async function openStage(): Promise<Stage> {
  const [servers, s3, clocks] = await Promise.all([testServers(), startS3({ own: true }), mkdtemp(join(tmpdir(), 'worker-clocks-'))]);
  const { endpoint, accessKey, secretKey, bucket } = s3.address;
  const objects = { S3_ENDPOINT: endpoint, S3_ACCESS_KEY: accessKey, S3_SECRET_KEY: secretKey, S3_BUCKET: bucket };
  const shared = {
    MONGODB_URL: servers.mongodbUrl,
    NATS_URL: servers.natsUrl,
    REDIS_URL: servers.redisUrl,
    LOG_LEVEL: 'error',
    ...ACK_WAIT,
  };
  const records = await startServiceProcess({
    main: mainOf('records'),
    env: { ...shared, LOG_LEVEL: 'info', MONGODB_DATABASE: servers.database('records') },
  });
  const tasksEnvironment = {
    ...shared,
    ...objects,
    ...clockVariables(clocks),
    LOG_LEVEL: 'info',
    MONGODB_DATABASE: servers.database('tasks'),
    JOB_LEASE_SECONDS: String(LEASE_MS / 1_000),
    JOBS_PER_INSTITUTION: '1000',
  };
  const startTasks = (bind?: string) =>
    startServiceProcess({ main: mainOf('tasks'), env: { ...tasksEnvironment, ...(bind !== undefined && { GRPC_BIND: bind }) } });
  let tasks = await startTasks();
  let leasesEnded = 0;
  const { address } = tasks;
  const gates = { tasks: await openTcpGate(address), records: await openTcpGate(records.address) };
  const owner = await importRecords(records.address);
  const client = createGrpcClient(tasksV1.TasksServiceClient, address);
  const store = connectObjectStore(s3.address);
  const find: Stage['find'] = async (taskId) =>
    (await callUnary(client, client.getTask, { caller: owner, taskId }, { idempotent: true })).task;
  const fileOf: Stage['fileOf'] = async (taskId) => {
    const file = await waitFor(async () => (await find(taskId))?.result?.file);
    const response = await fetch(createAddresses(s3.address).presignedGet(file, 60));
    if (response.status !== 200) throw new Error(`The file is not there: ${String(response.status)}`);
    return response.text();
  };
  return {
    servers,
    s3,
    store,
    gates,
    tasks: {
      kill: () => tasks.kill(),
      async restart() {
        tasks = await startTasks(address);
      },
      async endLeases() {
        leasesEnded += 1;
        const draft = join(clocks, 'draft');
        await writeFile(draft, String(leasesEnded * LEASE_MS));
        // At once, because the service could otherwise read an incomplete file. It runs in the folder of this process.
        await rename(draft, join(clocks, basename(process.cwd())));
      },
    },
    startWorker: (environment = {}) =>
      startServiceProcess({
        main: mainOf('worker'),
        env: {
          ...shared,
          ...objects,
          LOG_LEVEL: 'info',
          TASKS_ADDRESS: gates.tasks.address,
          RECORDS_ADDRESS: gates.records.address,
          ABSENCE_RULES_ADDRESS: '127.0.0.1:9',
          DAILY_REPORTS_ADDRESS: '127.0.0.1:9',
          WORKER_SLOTS: '1',
          ...environment,
        },
      }),
    async start(parameters = {}, accountId = owner.accountId) {
      const request = {
        caller: { ...owner, accountId },
        fingerprint: newId(),
        export: { exporter: 'generic', parameters: { ...LARGE, ...parameters }, fileName: 'generic.csv' },
        label: 'Export',
        skipped: 0,
      };
      const { task } = await callUnary(client, client.startExport, request);
      return task?.id ?? '';
    },
    find: (taskId) => find(taskId).catch(() => undefined),
    delete: async (taskId) => void (await callUnary(client, client.deleteTask, { caller: owner, taskId })),
    fileOf,
    async filesOf(taskId) {
      const keyOf = (attempt: number) => `exports/${owner.institutionId}/${taskId}/${String(attempt)}.csv`;
      const attempts = Array.from({ length: 12 }, (_, before) => before + 1);
      const found = await Promise.all(attempts.map((attempt) => store.stat(keyOf(attempt))));
      return attempts.filter((_, at) => found[at] !== undefined);
    },
    async stop() {
      client.close();
      await Promise.all([gates.tasks.stop(), gates.records.stop()]);
      await Promise.all([tasks.stop(), records.stop()]);
      await Promise.all([servers.stop(), s3.stop(), rm(clocks, { recursive: true })]);
    },
  };
}

const LARGE = {
  daterange: '2026-03-01|2026-03-31',
  types: 'workday:hours',
  columns: `last-name|date|value|${Array.from({ length: 10 }, (_, n) => `employee-id:as>filler${String(n)}`).join('|')}`,
  is_async: 'true',
};

/** Imports an institution with employees and workdays. @returns an account of it */
async function importRecords(address: string): Promise<commonV1.Caller> {
  const institution = buildInstitution();
  const ids = { institution_id: institution.id };
  const account = buildAccount(ids);
  const lines: object[] = [institution, account];
  for (let n = 0; n < EMPLOYEES; n++) {
    const employee = buildEmployee({ ...ids, last_name: `Nr${String(n).padStart(4, '0')}` });
    lines.push(employee);
    for (let day = 1; day <= DAYS; day++) {
      const date = `2026-03-${String(day).padStart(2, '0')}`;
      const times = { started_at: `${date}T08:00:00`, ended_at: `${date}T16:00:00` };
      lines.push(buildWorkday({ ...ids, employee_id: employee.id, date, ...times, timespans: [] }));
    }
  }
  const client = createGrpcClient(recordsV1.RecordsServiceClient, address);
  // On a busy machine the service may answer no ping for too long while it imports, and the connection ends.
  await untilAvailable(() => importLines(client, lines).then(() => true));
  client.close();
  const visibility = { role: commonV1.Role.ROLE_ADMIN, departmentIds: [], projects: undefined };
  return { institutionId: institution.id, accountId: account.id, visibility };
}
