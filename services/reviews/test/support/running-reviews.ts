import { join } from 'node:path';
import { commonV1, recordsV1, reviewsV1 } from '@stechuhr/contracts';
import { newId } from '@stechuhr/kernel';
import { importLines } from '@stechuhr/records-client';
import { callUnary, createGrpcClient, createLogger, openBidi, readStream, RUN_STALL_MS } from '@stechuhr/service';
import { startServiceProcess, testServers, type TestServers } from '@stechuhr/testing';
import { formatLocalDate } from '@stechuhr/worktime';
import { readConfig } from '../../src/config.js';
import { createReviewsService } from '../../src/service.js';

type Client = reviewsV1.ReviewsServiceClient;
type Suppression = reviewsV1.Suppression;

const RECORDS = join(import.meta.dirname, '../../../records/dist/main.js');

/** The service running in this process with the real records service, and its calls. */
export interface RunningReviews {
  readonly servers: TestServers;
  /** Sets the clock of the service, in UTC. */
  setNow(instant: string): void;
  importLines(lines: readonly object[]): Promise<void>;
  importSettings(lines: readonly object[]): Promise<ImportOutcome>;
  as(caller: commonV1.Caller): CallerReviews;
  stop(): Promise<void>;
}

export interface ImportOutcome {
  readonly accepted: Readonly<Record<string, number>>;
  readonly rejected: readonly string[];
}

/** A finding as a client sees it, its date as text. */
export interface SeenFinding {
  readonly code: string;
  readonly date: string | undefined;
  readonly references: readonly string[];
  readonly context: Readonly<Record<string, number | string | undefined>>;
  readonly details: string;
}

/** The calls of one caller. */
export interface CallerReviews {
  review(year: number, month: number): Promise<SeenFinding[]>;
  /** Runs a review and returns its messages. */
  run(parameters: Record<string, string>, judgeOnly?: boolean): Promise<reviewsV1.RunReviewResponse[]>;
  openErrors(year: number, month: number): Promise<number>;
  checks(): Promise<reviewsV1.CheckDefinition[]>;
  /** Starts a review and receives only its first message. @returns a function that ends the call */
  begin(year: number, month: number): Promise<() => Promise<unknown>>;
  list(parameters?: Record<string, string>, page?: { limit?: number; offset?: number }): Promise<reviewsV1.ListSuppressionsResponse>;
  get(id: string): Promise<Suppression>;
  create(body: unknown): Promise<{ readonly suppression: Suppression; readonly created: boolean }>;
  update(id: string, body: unknown): Promise<Suppression>;
  delete(id: string): Promise<void>;
}

export async function startReviews(
  now = '2026-07-01T10:00:00Z',
  bounds: { maxSuppressions?: number; maxUnreceived?: number } = {},
): Promise<RunningReviews> {
  const servers = await testServers();
  const shared = { MONGODB_URL: servers.mongodbUrl, NATS_URL: servers.natsUrl };
  const records = await startServiceProcess({
    main: RECORDS,
    env: { ...shared, REDIS_URL: servers.redisUrl, MONGODB_DATABASE: servers.database('records') },
  });
  let present = Date.parse(now);
  const environment = { ...shared, RECORDS_ADDRESS: records.address, MONGODB_DATABASE: servers.database('reviews') };
  const overrides = { clock: { now: () => present }, ingestBackoffMs: [100, 500, 1500], ...bounds };
  const service = await createReviewsService(readConfig(environment), createLogger('reviews', 'fatal'), overrides);
  const recordsClient = createGrpcClient(recordsV1.RecordsServiceClient, records.address);
  const client = createGrpcClient(reviewsV1.ReviewsServiceClient, `127.0.0.1:${String(service.grpcPort)}`);
  return {
    servers,
    setNow: (instant) => void (present = Date.parse(instant)),
    importLines: (lines) => importLines(recordsClient, lines),
    importSettings: (lines) => importSettings(client, lines),
    as: (caller) => callerReviews(client, caller),
    async stop() {
      client.close();
      recordsClient.close();
      await service.stop();
      await records.stop();
      await servers.stop();
    },
  };
}

/** Returns a caller of an institution; a department leader if departments are given. */
export function callerOf(institutionId: string, departmentIds?: string[]): commonV1.Caller {
  const role = departmentIds === undefined ? commonV1.Role.ROLE_ADMIN : commonV1.Role.ROLE_DEPARTMENT_LEADER;
  return { institutionId, accountId: newId(), visibility: { role, departmentIds: departmentIds ?? [], projects: undefined } };
}

async function importSettings(client: Client, lines: readonly object[]): Promise<ImportOutcome> {
  const { write, end, responses } = openBidi<reviewsV1.ImportRequest, reviewsV1.ImportResponse>(client, client.import);
  await write({ lines: lines.map((line, at) => ({ file: '-', line: at + 1, json: JSON.stringify(line) })) });
  end();
  const rejected: string[] = [];
  for await (const { event } of responses) {
    if (event?.$case === 'rejected') rejected.push(`${String(event.value.line)} ${event.value.kind ?? '?'}: ${event.value.reason}`);
    if (event?.$case === 'summary') return { accepted: event.value.accepted, rejected };
  }
  throw new Error('There was no summary.');
}

function callerReviews(client: Client, caller: commonV1.Caller): CallerReviews {
  const run: CallerReviews['run'] = async (parameters, judgeOnly = false) => {
    const messages: reviewsV1.RunReviewResponse[] = [];
    for await (const message of readStream(client, client.runReview, { caller, parameters, judgeOnly }, { stallMs: RUN_STALL_MS }))
      messages.push(message);
    return messages;
  };
  return {
    run,
    async review(year, month) {
      return (await run({ year: String(year), month: String(month) })).flatMap(({ findings }) => findings.map(toSeen));
    },
    async begin(year, month) {
      const parameters = { year: String(year), month: String(month) };
      const messages = readStream(client, client.runReview, { caller, parameters, judgeOnly: false }, { stallMs: RUN_STALL_MS });
      await messages.next();
      return () => messages.return();
    },
    openErrors: async (year, month) => (await callUnary(client, client.countOpenErrors, { caller, year, month })).count,
    checks: async () => (await callUnary(client, client.listChecks, { caller })).checks,
    list: (parameters = {}, { limit = 100, offset = 0 } = {}) =>
      callUnary(client, client.listSuppressions, { caller, parameters, limit, offset }),
    get: async (suppressionId) => present(await callUnary(client, client.getSuppression, { caller, suppressionId })),
    async create(body) {
      const answer = await callUnary(client, client.createSuppression, { caller, json: JSON.stringify(body) });
      return { suppression: present(answer), created: answer.created };
    },
    update: async (suppressionId, body) =>
      present(await callUnary(client, client.updateSuppression, { caller, suppressionId, json: JSON.stringify(body) })),
    async delete(suppressionId) {
      await callUnary(client, client.deleteSuppression, { caller, suppressionId });
    },
  };
}

function present({ suppression }: { readonly suppression: Suppression | undefined }): Suppression {
  if (suppression === undefined) throw new Error('The answer has no rule.');
  return suppression;
}

function toSeen({ code, date, references, context, details }: reviewsV1.Finding): SeenFinding {
  return {
    code,
    date: date === undefined ? undefined : formatLocalDate(date),
    references: references.map(({ type, id }) => `${type} ${id}`),
    context: Object.fromEntries(context.map(({ name, value }) => [name, value?.value])),
    details,
  };
}
