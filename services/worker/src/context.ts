import { connectBus, type Bus } from '@stechuhr/bus';
import { absenceRulesV1, dailyReportsV1, recordsV1, tasksV1 } from '@stechuhr/contracts';
import { callerSources } from '@stechuhr/export-runs';
import { connectObjectStore } from '@stechuhr/objectstore';
import { checkReachable, connectAhead, createGrpcClient, type Logger } from '@stechuhr/service';
import { accountLookup } from './clients/accounts.js';
import { bundleRun } from './clients/bundles.js';
import { createJobBoard } from './clients/job-board.js';
import type { Config } from './config.js';
import { countAttempt } from './metrics.js';
import type { Ports } from './operations/ports.js';

export interface Context {
  readonly ports: Ports;
  readonly bus: Bus;
  readonly checks: Readonly<Record<'nats' | 'tasks' | 'records' | 's3', () => Promise<void>>>;
  /** Ends running attempts, so that other workers run their jobs. */
  giveBackJobs(): void;
  close(): Promise<void>;
}

export async function createContext(config: Config, logger: Logger): Promise<Context> {
  const { addresses } = config;
  const records = createGrpcClient(recordsV1.RecordsServiceClient, addresses.records);
  const absenceRules = createGrpcClient(absenceRulesV1.AbsenceRulesServiceClient, addresses.absenceRules);
  const dailyReports = createGrpcClient(dailyReportsV1.DailyReportsServiceClient, addresses.dailyReports);
  const tasks = createGrpcClient(tasksV1.ExportJobsServiceClient, addresses.tasks);
  connectAhead(records, absenceRules, dailyReports, tasks);
  const store = connectObjectStore(config.s3);
  const bus = await connectBus({ servers: config.natsUrl, name: 'worker', logger });
  await bus.ensureStreams();
  const stopping = new AbortController();
  return {
    ports: {
      jobs: createJobBoard(tasks),
      files: store,
      accountExists: accountLookup(records),
      sourcesOf: (caller, signal) => callerSources({ records, absenceRules }, caller, signal),
      bundleOf: (job, signal) => bundleRun(dailyReports, job, signal),
      logger,
      stopping: stopping.signal,
      attemptEnded: countAttempt,
    },
    bus,
    checks: {
      nats: () => bus.ping(),
      tasks: () => checkReachable(tasks),
      records: () => checkReachable(records),
      s3: () => store.ensureBucket(),
    },
    giveBackJobs: () => stopping.abort(new Error('The worker stops.')),
    async close() {
      await bus.close();
      for (const client of [records, absenceRules, dailyReports, tasks]) client.close();
    },
  };
}
