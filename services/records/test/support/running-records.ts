import { commonV1, recordsV1 } from '@stechuhr/contracts';
import { newId } from '@stechuhr/kernel';
import { callUnary, createGrpcClient, createLogger, openBidi, readStream, type BidiCall } from '@stechuhr/service';
import { waitFor, type TestServers } from '@stechuhr/testing';
import mongoose from 'mongoose';
import { readConfig } from '../../src/config.js';
import { createRecordsService } from '../../src/service.js';

type Client = recordsV1.RecordsServiceClient;

export interface ImportResult {
  readonly accepted: Record<string, number>;
  readonly rejected: readonly recordsV1.RejectedLine[];
  readonly warnings: readonly recordsV1.ImportWarning[];
  readonly progress: readonly number[];
}

/** The part of a caller that determines what it may see. */
export interface Sight {
  readonly institutionId: string;
  readonly departmentIds?: string[];
  readonly projectIds?: string[];
}

/** The service running in this process, and a gRPC client for it. */
export interface RunningRecords {
  readonly client: Client;
  /** `host:port` of its gRPC server. */
  readonly address: string;
  readonly database: mongoose.mongo.Db;
  /** Imports objects, or lines as they are, in one call. */
  importLines(...lines: (object | string)[]): Promise<ImportResult>;
  /** Imports objects in a dry run. */
  checkLines(...lines: (object | string)[]): Promise<ImportResult>;
  getAccount(accountId: string): Promise<recordsV1.Account | undefined>;
  getInstitution(institutionId: string): Promise<recordsV1.Institution | undefined>;
  departments(sight: Sight): Promise<recordsV1.Department[]>;
  projects(sight: Sight): Promise<recordsV1.Project[]>;
  /** Returns employees with the custom fields of these names, or with all. */
  employees(sight: Sight, customFields?: string[]): Promise<recordsV1.Employee[]>;
  timeRecords(sight: Sight, request: Partial<recordsV1.ReadTimeRecordsRequest>): Promise<recordsV1.EmployeeRecords[]>;
  /** Returns the employees of a project's day with the ids of their workdays. */
  projectDay(sight: Sight, projectId: string, day: number): Promise<[string, string[]][]>;
  /** Waits until every event was published. */
  allPublished(): Promise<void>;
  stop(): Promise<void>;
}

interface Options {
  readonly database?: string;
  readonly redisUrl?: string;
  readonly ingestBackoffMs?: readonly number[];
}

export async function startRecords(servers: TestServers, options: Options = {}): Promise<RunningRecords> {
  const database = options.database ?? servers.database('records');
  const config = readConfig({
    MONGODB_URL: servers.mongodbUrl,
    MONGODB_DATABASE: database,
    NATS_URL: servers.natsUrl,
    REDIS_URL: options.redisUrl ?? servers.redisUrl,
  });
  const logger = createLogger('records', 'fatal');
  const service = await createRecordsService(config, logger, options.ingestBackoffMs && { ingestBackoffMs: options.ingestBackoffMs });
  const address = `127.0.0.1:${String(service.grpcPort)}`;
  const client = createGrpcClient(recordsV1.RecordsServiceClient, address);
  const mongo = await new mongoose.mongo.MongoClient(servers.mongodbUrl).connect();
  return {
    ...callsOf(client),
    client,
    address,
    database: mongo.db(database),
    allPublished: () => allPublished(mongo.db(database)),
    async stop() {
      client.close();
      await service.stop();
      await mongo.close();
    },
  };
}

/** Wraps the calls of a client in functions that are convenient for tests. */
export function callsOf(client: Client): Omit<RunningRecords, 'client' | 'address' | 'database' | 'allPublished' | 'stop'> {
  return {
    importLines: (...lines) => importLines(openBidi(client, client.import), lines),
    checkLines: (...lines) => importLines(openBidi(client, client.checkImport), lines),
    getAccount: async (accountId) => (await callUnary(client, client.getAccount, { accountId })).account,
    getInstitution: async (id) => (await callUnary(client, client.getInstitution, { caller: callerOf({ institutionId: id }) })).institution,
    departments: async (sight) =>
      (await all(readStream(client, client.listDepartments, { caller: callerOf(sight) }))).flatMap((message) => message.departments),
    projects: async (sight) =>
      (await all(readStream(client, client.listProjects, { caller: callerOf(sight) }))).flatMap((message) => message.projects),
    employees: async (sight, names) => {
      const request = { caller: callerOf(sight), ...(names && { customFields: { names } }) };
      return (await all(readStream(client, client.listEmployees, request))).flatMap((message) => message.employees);
    },
    timeRecords: async (sight, request) =>
      (await all(readStream(client, client.readTimeRecords, timeRequest(sight, request)))).flatMap((message) => message.employees),
    projectDay: async (sight, projectId, day) =>
      (await all(readStream(client, client.readProjectDay, { caller: callerOf(sight), projectId, day })))
        .flatMap((message) => message.employees)
        .map(({ employeeId, workmonths }) => [employeeId, workmonths.flatMap(({ workdays }) => workdays.map(({ id }) => id))]),
  };
}

export function timeRequest(sight: Sight, request: Partial<recordsV1.ReadTimeRecordsRequest>): recordsV1.ReadTimeRecordsRequest {
  const { RECORD_PART_ABSENCES, RECORD_PART_CONTRACTS, RECORD_PART_TIMESPANS, RECORD_PART_WORKDAYS } = recordsV1.RecordPart;
  const parts = [RECORD_PART_ABSENCES, RECORD_PART_CONTRACTS, RECORD_PART_TIMESPANS, RECORD_PART_WORKDAYS];
  return { caller: callerOf(sight), employeeIds: [], fromDay: 0, toDay: 0, parts, ...request };
}

function callerOf({ institutionId, departmentIds, projectIds }: Sight): commonV1.Caller {
  const role = departmentIds === undefined ? commonV1.Role.ROLE_ADMIN : commonV1.Role.ROLE_DEPARTMENT_LEADER;
  const visibility = { role, departmentIds: departmentIds ?? [], projects: projectIds && { projectIds } };
  return { institutionId, accountId: newId(), visibility };
}

async function importLines(
  call: BidiCall<recordsV1.ImportRequest, recordsV1.ImportResponse>,
  lines: readonly (object | string)[],
): Promise<ImportResult> {
  const rejected: recordsV1.RejectedLine[] = [];
  const progress: number[] = [];
  const warnings: recordsV1.ImportWarning[] = [];
  const sent = send(call.write, lines).then(() => call.end());
  let summary: recordsV1.ImportSummary | undefined;
  for await (const { event } of call.responses) {
    if (event?.$case === 'rejected') rejected.push(event.value);
    else if (event?.$case === 'progress') progress.push(event.value.lines);
    else if (event?.$case === 'warning') warnings.push(event.value);
    else summary = event?.value;
  }
  await sent;
  if (summary === undefined) throw new Error('The import ended without a summary.');
  expectCount(summary.rejected, rejected.length);
  return { accepted: summary.accepted, rejected, warnings, progress };
}

function expectCount(counted: number, seen: number): void {
  if (counted !== seen) throw new Error(`The summary counts ${String(counted)} rejected lines, ${String(seen)} were named.`);
}

const LINES_A_MESSAGE = 200;

async function send(write: (request: recordsV1.ImportRequest) => Promise<void>, lines: readonly (object | string)[]): Promise<void> {
  for (let first = 0; first < lines.length; first += LINES_A_MESSAGE) {
    const part = lines.slice(first, first + LINES_A_MESSAGE);
    await write({
      lines: part.map((line, index) => ({
        file: 'records.ndjson',
        line: first + index + 1,
        json: typeof line === 'string' ? line : JSON.stringify(line),
      })),
    });
  }
}

async function all<T>(messages: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const message of messages) list.push(message);
  return list;
}

async function allPublished(database: mongoose.mongo.Db): Promise<void> {
  const nothingWaits = async (): Promise<boolean> => {
    for (const { name } of await database.listCollections().toArray()) {
      if ((await database.collection(name).findOne({ 'outbox.id': { $gt: '' } })) !== null) return false;
    }
    return true;
  };
  await waitFor(nothingWaits);
}
