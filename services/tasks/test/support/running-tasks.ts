import { Readable } from 'node:stream';
import { connectObjectStore, type ObjectStore } from '@stechuhr/objectstore';
import { commonV1, inspectionV1, tasksV1 } from '@stechuhr/contracts';
import { newId, type Clock } from '@stechuhr/kernel';
import { startS3 } from '@stechuhr/local-infra';
import { callUnary, createGrpcClient, createLogger, readStream, type Logger } from '@stechuhr/service';
import { testServers, type TestServers } from '@stechuhr/testing';
import { readConfig } from '../../src/config.js';
import { createTasksService } from '../../src/service.js';

type S3 = Awaited<ReturnType<typeof startS3>>;

/** The service running in this process on real servers, with gRPC clients for it. */
export interface RunningTasks {
  readonly servers: TestServers;
  readonly s3: S3;
  readonly store: ObjectStore;
  /** Stores a file, as a worker would. */
  put(file: string, text?: string): Promise<void>;
  readonly jobs: Jobs;
  as(caller: commonV1.Caller): CallerTasks;
  /** Runs the inspections of the service. Returns the findings by the name of the check. */
  inspect(repair?: boolean): Promise<Readonly<Record<string, readonly string[]>>>;
  /** Moves the clock of the service ahead of the machine's by this time. */
  advance(milliseconds: number): void;
  /** Starts another process on the same servers. */
  another(
    environment?: Readonly<Record<string, string>>,
    logger?: Logger,
  ): Promise<{ stop(): Promise<void>; as(caller: commonV1.Caller): CallerTasks; readonly jobs: Jobs }>;
  stop(): Promise<void>;
}

/** The calls of one caller. */
export interface CallerTasks {
  find(fingerprint: string): Promise<tasksV1.ExportTask | undefined>;
  start(fingerprint: string): Promise<{ task: tasksV1.ExportTask; started: boolean }>;
  list(parameters?: Record<string, string>, page?: { limit?: number; offset?: number }): Promise<{ count: number; tasks: tasksV1.Task[] }>;
  /** The messages of a list, which are sent as fast as they are read. */
  read(): AsyncGenerator<tasksV1.ListTasksResponse, void, undefined>;
  get(taskId: string): Promise<tasksV1.Task>;
  delete(taskId: string): Promise<void>;
}

/** The calls of a worker. */
export interface Jobs {
  /** @param messageId undefined as from a worker that does not send it */
  claim(taskId: string, messageId?: string): Promise<tasksV1.ExportJob | undefined>;
  report(job: tasksV1.ExportJob, rowsDone?: number, rowsEstimated?: number): Promise<boolean>;
  /** Stores a file first if there is none. */
  finish(
    job: tasksV1.ExportJob,
    skipped?: tasksV1.SkippedEmployee[],
    outcome?: Pick<tasksV1.FinishJobRequest, 'rows' | 'sizeBytes'>,
  ): Promise<boolean>;
  fail(job: tasksV1.ExportJob, final?: boolean): Promise<void>;
  release(job: tasksV1.ExportJob, unavailable?: boolean, interrupted?: boolean): Promise<void>;
}

const LEASE_SECONDS = '5';

/** @param jobsPerInstitution by default more than any test leaves open, except those about the limit */
export async function startTasks(jobsPerInstitution = 1_000): Promise<RunningTasks> {
  const [servers, s3] = await Promise.all([testServers(), startS3()]);
  let ahead = 0;
  const clock = { now: () => Date.now() + ahead };
  const environment = {
    MONGODB_URL: servers.mongodbUrl,
    MONGODB_DATABASE: servers.database('tasks'),
    NATS_URL: servers.natsUrl,
    S3_ENDPOINT: s3.address.endpoint,
    S3_ACCESS_KEY: s3.address.accessKey,
    S3_SECRET_KEY: s3.address.secretKey,
    S3_BUCKET: s3.address.bucket,
    JOB_LEASE_SECONDS: LEASE_SECONDS,
    JOBS_PER_INSTITUTION: String(jobsPerInstitution),
  };
  const store = connectObjectStore(s3.address);
  const first = await startOne(environment, clock);
  const put = async (file: string, text = 'half') => void (await store.putStream(file, Readable.from([Buffer.from(text)]), 'text/csv'));
  return {
    servers,
    s3,
    store,
    put,
    jobs: {
      ...first.jobs,
      async finish(job, skipped, outcome) {
        if ((await store.stat(job.file)) === undefined) await put(job.file);
        return first.jobs.finish(job, skipped, outcome);
      },
    },
    as: first.as,
    inspect: first.inspect,
    advance: (milliseconds) => void (ahead += milliseconds),
    another: (more = {}, logger) => startOne({ ...environment, ...more }, clock, logger),
    async stop() {
      await first.stop();
      await Promise.all([servers.stop(), s3.stop()]);
    },
  };
}

async function startOne(environment: Readonly<Record<string, string>>, clock: Clock, logger = createLogger('tasks', 'fatal')) {
  const service = await createTasksService(readConfig(environment), logger, { clock });
  const address = `127.0.0.1:${String(service.grpcPort)}`;
  const tasks = createGrpcClient(tasksV1.TasksServiceClient, address);
  const workers = createGrpcClient(tasksV1.ExportJobsServiceClient, address);
  const inspections = createGrpcClient(inspectionV1.InspectionServiceClient, address);
  return {
    jobs: jobsOf(workers),
    as: (caller: commonV1.Caller) => callerTasks(tasks, caller),
    inspect: (repair = false) => inspect(inspections, repair),
    async stop() {
      inspections.close();
      tasks.close();
      workers.close();
      await service.stop();
    },
  };
}

async function inspect(client: inspectionV1.InspectionServiceClient, repair: boolean) {
  const results = await Array.fromAsync(readStream(client, client.inspect, { olderThanSeconds: 60, repair }));
  const found = results.filter(({ count, problem }) => count > 0 || problem !== '');
  return Object.fromEntries(found.map(({ check, examples, repaired }) => [check, [...examples, ...(repaired > 0 ? ['repaired'] : [])]]));
}

/** Returns a caller of an institution. */
export function callerOf(institutionId = newId(), role: commonV1.Role = commonV1.Role.ROLE_ADMIN): commonV1.Caller {
  const isLeader = role === commonV1.Role.ROLE_DEPARTMENT_LEADER;
  const visibility = { role, departmentIds: isLeader ? [newId()] : [], projects: isLeader ? { projectIds: [newId()] } : undefined };
  return { institutionId, accountId: newId(), visibility };
}

export const SPEC: tasksV1.ExportSpec = {
  exporter: 'generic',
  parameters: { daterange: '2026-03-01|2026-03-31', 'a.b': '$x' },
  fileName: 'generic-2026-03-01-2026-03-31.csv',
};

function callerTasks(client: tasksV1.TasksServiceClient, caller: commonV1.Caller): CallerTasks {
  return {
    find: async (fingerprint) => (await callUnary(client, client.findExport, { caller, fingerprint })).task,
    async start(fingerprint) {
      const request = { caller, fingerprint, export: SPEC, label: 'Export generic', skipped: 3 };
      const { task, started } = await callUnary(client, client.startExport, request);
      return { task: present(task), started };
    },
    async list(parameters = {}, { limit = 100, offset = 0 } = {}) {
      const found: { count: number; tasks: tasksV1.Task[] } = { count: -1, tasks: [] };
      for await (const { part } of readStream(client, client.listTasks, { caller, parameters, limit, offset })) {
        if (part?.$case === 'count') found.count = part.value;
        if (part?.$case === 'task') found.tasks.push(part.value);
      }
      return found;
    },
    read: () => readStream(client, client.listTasks, { caller, parameters: {}, limit: 100, offset: 0 }),
    get: async (taskId) => present((await callUnary(client, client.getTask, { caller, taskId })).task),
    delete: async (taskId) => void (await callUnary(client, client.deleteTask, { caller, taskId })),
  };
}

function jobsOf(client: tasksV1.ExportJobsServiceClient): Jobs {
  return {
    claim: async (taskId, messageId) => (await callUnary(client, client.claimJob, { taskId, messageId })).job,
    report: async ({ taskId, attempt }, rowsDone = 0, rowsEstimated = 0) =>
      (await callUnary(client, client.reportProgress, { taskId, attempt, rowsDone, rowsEstimated })).held,
    finish: async ({ taskId, attempt }, skipped = [], { rows, sizeBytes } = { rows: 12, sizeBytes: 34 }) =>
      (await callUnary(client, client.finishJob, { taskId, attempt, rows, sizeBytes, skipped })).held,
    fail: async ({ taskId, attempt }, final = false) =>
      void (await callUnary(client, client.failJob, { taskId, attempt, reason: 'It broke.', final })),
    release: async ({ taskId, attempt }, unavailable = false, interrupted = false) =>
      void (await callUnary(client, client.releaseJob, { taskId, attempt, unavailable, interrupted })),
  };
}

export function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('There is none.');
  return value;
}
