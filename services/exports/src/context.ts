import { connectBus } from '@stechuhr/bus';
import { absenceRulesV1, recordsV1, type commonV1 } from '@stechuhr/contracts';
import { callerSources, type ExportSources } from '@stechuhr/export-runs';
import { systemClock } from '@stechuhr/kernel';
import { createGrpcClient, type Logger } from '@stechuhr/service';
import type { Config } from './config.js';
import { createExportEvents } from './events/export-ran.js';
import type { ExportEvents } from './operations/ports.js';

export interface Context {
  readonly events: ExportEvents;
  sourcesOf(caller: commonV1.Caller, signal: AbortSignal): ExportSources;
  /** Rejects when the records service cannot be reached. */
  checkRecords(): Promise<void>;
  close(): Promise<void>;
}

const RECORDS_CHECK_MS = 1_500;

export async function createContext(config: Config, logger: Logger): Promise<Context> {
  const records = createGrpcClient(recordsV1.RecordsServiceClient, config.recordsAddress);
  const absenceRules = createGrpcClient(absenceRulesV1.AbsenceRulesServiceClient, config.absenceRulesAddress);
  const bus = await connectBus({ servers: config.natsUrl, name: 'exports', logger });
  return {
    events: createExportEvents({ bus, clock: systemClock, logger }),
    sourcesOf: (caller, signal) => callerSources({ records, absenceRules }, caller, signal),
    checkRecords: () =>
      new Promise((resolve, reject) => {
        records.waitForReady(Date.now() + RECORDS_CHECK_MS, (error) => (error ? reject(error) : resolve()));
      }),
    async close() {
      records.close();
      absenceRules.close();
      await bus.close();
    },
  };
}
