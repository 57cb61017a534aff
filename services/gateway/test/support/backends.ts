import { commonV1, exportsV1, recordsV1, type tasksV1 } from '@stechuhr/contracts';
import { AppError, newId, type Logger } from '@stechuhr/kernel';
import { serverStream, startGrpcServer, unary, type CallContext } from '@stechuhr/service';
import { startAbsenceRulesBackend, type AbsenceRulesBackend } from './absence-rules-backend.js';
import { startDailyReportsBackend, type DailyReportsBackend } from './daily-reports-backend.js';
import { startReviewsBackend, type ReviewsBackend } from './reviews-backend.js';
import { startTasksBackend, type TasksBackend } from './tasks-backend.js';

type RunExport = (request: exportsV1.RunExportRequest, call: CallContext) => AsyncIterable<exportsV1.RunExportResponse>;

/** The services behind the gateway, as far as it calls them: real gRPC servers whose responses a test sets. */
export interface Backends {
  readonly recordsAddress: string;
  readonly exportsAddress: string;
  readonly tasks: TasksBackend;
  readonly absenceRules: AbsenceRulesBackend;
  readonly reviews: ReviewsBackend;
  readonly dailyReports: DailyReportsBackend;
  /** Accounts by id. */
  readonly accounts: Map<string, recordsV1.Account>;
  /** Accounts on other shards, which may have the same ids as {@link accounts}. A request without an institution finds them first. */
  readonly elsewhere: recordsV1.Account[];
  /** The number of account lookups. */
  accountCalls: number;
  /** Adds an account, in a new institution unless one is given. */
  addAccount(role?: commonV1.Role, institutionId?: string): recordsV1.Account;
  /** Called unless only an existing task may be returned. */
  runExport: RunExport;
  /** The response if only an existing task may be returned. */
  existingTask: tasksV1.ExportTask | undefined;
  listExporters: () => Promise<exportsV1.ListExportersResponse>;
  stop(): Promise<void>;
}

export async function startBackends(logger: Logger): Promise<Backends> {
  const accounts = new Map<string, recordsV1.Account>();
  const elsewhere: recordsV1.Account[] = [];
  const getAccount = unary(({ accountId, institutionId }: recordsV1.GetAccountRequest) => {
    backends.accountCalls += 1;
    const account = [...elsewhere, ...accounts.values()].find(
      (one) => one.id === accountId && (institutionId === undefined || one.institutionId === institutionId),
    );
    if (account === undefined) throw new AppError('not_found', 'No such account.');
    return Promise.resolve({ account });
  });
  const records = await startGrpcServer({
    bind: '127.0.0.1:0',
    services: [{ definition: recordsV1.RecordsServiceService, implementation: { getAccount } }],
    logger,
  });
  const existing = () => {
    if (backends.existingTask === undefined) throw new AppError('rate_limited', 'Request was throttled.');
    return taskAnswer(backends.existingTask, false);
  };
  const implementation = {
    listExporters: unary(() => backends.listExporters()),
    runExport: serverStream((request: exportsV1.RunExportRequest, call) =>
      request.existingOnly ? existing() : backends.runExport(request, call),
    ),
  };
  const exports = await startGrpcServer({
    bind: '127.0.0.1:0',
    services: [{ definition: exportsV1.ExportsServiceService, implementation }],
    logger,
  });
  const tasks = await startTasksBackend(logger);
  const absenceRules = await startAbsenceRulesBackend(logger);
  const reviews = await startReviewsBackend(logger);
  const dailyReports = await startDailyReportsBackend(logger);
  const backends: Backends = {
    recordsAddress: `127.0.0.1:${records.port}`,
    exportsAddress: `127.0.0.1:${exports.port}`,
    tasks,
    absenceRules,
    reviews,
    dailyReports,
    accounts,
    elsewhere,
    accountCalls: 0,
    addAccount(role = commonV1.Role.ROLE_ADMIN, institutionId = newId()) {
      const visibility = { role, departmentIds: [], projects: undefined };
      const account = { id: newId(), institutionId, firstName: 'Ada', lastName: 'Muster', visibility };
      accounts.set(account.id, account);
      return account;
    },
    runExport: () => exportOf(['a;b\r\n']),
    existingTask: undefined,
    listExporters: () => Promise.resolve({ exporters: ['generic', 'payroll_a', 'payroll_b', 'multi'] }),
    async stop() {
      await Promise.all([records.stop(), exports.stop(), tasks.stop(), absenceRules.stop(), reviews.stop(), dailyReports.stop()]);
    },
  };
  return backends;
}

/** Returns the messages of a csv file. */
export async function* exportOf(
  chunks: Iterable<string> | AsyncIterable<string>,
  header: Partial<exportsV1.ExportHeader> = {},
): AsyncGenerator<exportsV1.RunExportResponse, void, undefined> {
  yield {
    part: {
      $case: 'header',
      value: { contentType: 'text/csv; charset=utf-8', fileName: 'generic.csv', skipped: 0, warnings: [], ...header },
    },
  };
  for await (const chunk of chunks) yield { part: { $case: 'chunk', value: Buffer.from(chunk) } };
}

/** Returns the messages of a response with a task. */
export async function* taskAnswer(
  task: tasksV1.ExportTask,
  started: boolean,
): AsyncGenerator<exportsV1.RunExportResponse, void, undefined> {
  yield { part: { $case: 'header', value: { contentType: 'application/json', fileName: undefined, skipped: task.skipped, warnings: [] } } };
  yield { part: { $case: 'task', value: { task, started } } };
}
