import { absenceRulesV1, recordsV1, type commonV1 } from '@stechuhr/contracts';
import { systemClock } from '@stechuhr/kernel';
import { createGrpcClient, type Logger } from '@stechuhr/service';
import { callerBalances } from './absence-rules/caller-balances.js';
import type { Config } from './config.js';
import { keepConnecting } from './events/bus-connection.js';
import { createExportEvents } from './events/export-ran.js';
import type { CallerBalances, CallerRecords, ExportEvents } from './operations/ports.js';
import { callerRecords } from './records/caller-records.js';

export interface Context {
  readonly events: ExportEvents;
  recordsOf(caller: commonV1.Caller, signal: AbortSignal): CallerRecords;
  balancesOf(caller: commonV1.Caller, signal: AbortSignal): CallerBalances;
  /** Rejects when the records service cannot be reached. */
  checkRecords(): Promise<void>;
  close(): Promise<void>;
}

const RECORDS_CHECK_MS = 1_500;

export function createContext(config: Config, logger: Logger): Context {
  const records = createGrpcClient(recordsV1.RecordsServiceClient, config.recordsAddress);
  const absenceRules = createGrpcClient(absenceRulesV1.AbsenceRulesServiceClient, config.absenceRulesAddress);
  const connection = keepConnecting({ servers: config.natsUrl, name: 'exports', logger });
  return {
    events: createExportEvents({ connection, clock: systemClock, logger }),
    recordsOf: (caller, signal) => callerRecords(records, caller, signal),
    balancesOf: (caller, signal) => callerBalances(absenceRules, caller, signal),
    checkRecords: () =>
      new Promise((resolve, reject) => {
        records.waitForReady(Date.now() + RECORDS_CHECK_MS, (error) => (error ? reject(error) : resolve()));
      }),
    async close() {
      records.close();
      absenceRules.close();
      await connection.close();
    },
  };
}
