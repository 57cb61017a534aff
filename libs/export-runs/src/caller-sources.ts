import type { absenceRulesV1, commonV1, recordsV1 } from '@stechuhr/contracts';
import { callerBalances } from './caller-balances.js';
import { callerRecords } from './caller-records.js';
import type { ExportSources } from './sources.js';

/** Clients of the services from which exports are read. */
export interface SourceClients {
  readonly records: recordsV1.RecordsServiceClient;
  readonly absenceRules: absenceRulesV1.AbsenceRulesServiceClient;
}

/** Returns the sources of an export, read on behalf of a caller until the signal aborts. */
export function callerSources({ records, absenceRules }: SourceClients, caller: commonV1.Caller, signal: AbortSignal): ExportSources {
  return { records: callerRecords(records, caller, signal), balances: callerBalances(absenceRules, caller, signal) };
}
