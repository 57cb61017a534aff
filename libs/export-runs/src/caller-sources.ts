import type { absenceRulesV1, commonV1, recordsV1 } from '@stechuhr/contracts';
import { callerBalances } from './caller-balances.js';
import { callerRecords } from './caller-records.js';
import type { Reserve } from './directory-room.js';
import type { ExportSources } from './sources.js';

/** Clients of the services from which exports are read. */
export interface SourceClients {
  readonly records: recordsV1.RecordsServiceClient;
  readonly absenceRules: absenceRulesV1.AbsenceRulesServiceClient;
}

/**
 * Returns the sources of an export, read on behalf of a caller until the signal aborts.
 *
 * @param reserve is called with the size of master data that is read; it may throw if the process has no room for it
 */
export function callerSources(
  { records, absenceRules }: SourceClients,
  caller: commonV1.Caller,
  signal: AbortSignal,
  reserve: Reserve = () => undefined,
): ExportSources {
  return { records: callerRecords(records, caller, signal, reserve), balances: callerBalances(absenceRules, caller, signal) };
}
