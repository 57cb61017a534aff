import { connectBus } from '@stechuhr/bus';
import { absenceRulesV1, recordsV1, tasksV1, type commonV1 } from '@stechuhr/contracts';
import { callerSources, type ExportSources } from '@stechuhr/export-runs';
import { systemClock } from '@stechuhr/kernel';
import { createGrpcClient, type Logger } from '@stechuhr/service';
import type { Config } from './config.js';
import { createExportEvents } from './events/export-ran.js';
import type { CallerTasks, ExportEvents } from './operations/ports.js';
import { callerTasks } from './tasks.js';

export interface Context {
  readonly events: ExportEvents;
  sourcesOf(caller: commonV1.Caller, signal: AbortSignal): ExportSources;
  tasksOf(caller: commonV1.Caller, signal: AbortSignal): CallerTasks;
  /** Rejects when the records service cannot be reached. */
  checkRecords(): Promise<void>;
  close(): Promise<void>;
}

const RECORDS_CHECK_MS = 1_500;

export async function createContext(config: Config, logger: Logger): Promise<Context> {
  const records = createGrpcClient(recordsV1.RecordsServiceClient, config.recordsAddress);
  const absenceRules = createGrpcClient(absenceRulesV1.AbsenceRulesServiceClient, config.absenceRulesAddress);
  const tasks = createGrpcClient(tasksV1.TasksServiceClient, config.tasksAddress);
  const bus = await connectBus({ servers: config.natsUrl, name: 'exports', logger });
  return {
    events: createExportEvents({ bus, clock: systemClock, logger }),
    sourcesOf: (caller, signal) => callerSources({ records, absenceRules }, caller, signal),
    tasksOf: (caller, signal) => callerTasks(tasks, caller, signal),
    checkRecords: () =>
      new Promise((resolve, reject) => {
        records.waitForReady(Date.now() + RECORDS_CHECK_MS, (error) => (error ? reject(error) : resolve()));
      }),
    async close() {
      records.close();
      absenceRules.close();
      tasks.close();
      await bus.close();
    },
  };
}
