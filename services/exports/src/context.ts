import { connectBus } from '@stechuhr/bus';
import { absenceRulesV1, recordsV1, reviewsV1, tasksV1, type commonV1 } from '@stechuhr/contracts';
import { callerSources, type ExportSources } from '@stechuhr/export-runs';
import { AppError, createFairShares, systemClock, type FairShares, type Share } from '@stechuhr/kernel';
import { checkReachable, connectAhead, createGrpcClient, type Logger } from '@stechuhr/service';
import { callerReviews } from './clients/reviews.js';
import { callerTasks } from './clients/tasks.js';
import type { Config } from './config.js';
import { createExportEvents } from './events/export-ran.js';
import type { CallerReviews, CallerTasks, ExportEvents } from './operations/ports.js';

export interface Context {
  readonly events: ExportEvents;
  /** The memory for the master data of running exports, in bytes, shared by institutions. */
  readonly memory: FairShares;
  /** Returns sources whose master data takes its memory from the share. */
  sourcesOf(caller: commonV1.Caller, signal: AbortSignal, share: Share): ExportSources;
  tasksOf(caller: commonV1.Caller, signal: AbortSignal): CallerTasks;
  reviewsOf(caller: commonV1.Caller, signal: AbortSignal): CallerReviews;
  readonly checks: Readonly<Record<'records', () => Promise<void>>>;
  close(): Promise<void>;
}

/** Somewhat less than half of the heap of a process (docs/capacity.md#memory). */
const MASTER_DATA_BYTES = 96 * 1024 * 1024;

/** Overrides for tests. */
export interface ContextOverrides {
  readonly masterDataBytes?: number;
}

export async function createContext(config: Config, logger: Logger, overrides: ContextOverrides = {}): Promise<Context> {
  const records = createGrpcClient(recordsV1.RecordsServiceClient, config.recordsAddress);
  const absenceRules = createGrpcClient(absenceRulesV1.AbsenceRulesServiceClient, config.absenceRulesAddress);
  const tasks = createGrpcClient(tasksV1.TasksServiceClient, config.tasksAddress);
  const reviews = createGrpcClient(reviewsV1.ReviewsServiceClient, config.reviewsAddress);
  connectAhead(records, absenceRules, tasks, reviews);
  const bus = await connectBus({ servers: config.natsUrl, name: 'exports', logger });
  return {
    events: createExportEvents({ bus, clock: systemClock, logger }),
    memory: createFairShares(overrides.masterDataBytes ?? MASTER_DATA_BYTES),
    sourcesOf: (caller, signal, share) =>
      callerSources({ records, absenceRules }, caller, signal, (bytes) => {
        if (!share.add(bytes)) throw noMemory();
      }),
    tasksOf: (caller, signal) => callerTasks(tasks, caller, signal),
    reviewsOf: (caller, signal) => callerReviews(reviews, caller, signal),
    checks: { records: () => checkReachable(records) },
    async close() {
      records.close();
      absenceRules.close();
      tasks.close();
      reviews.close();
      await bus.close();
    },
  };
}

function noMemory(): AppError {
  return new AppError('rate_limited', 'Other exports are running, and there is no memory for the master data of this one.');
}
