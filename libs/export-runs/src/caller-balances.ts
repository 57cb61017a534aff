import type { absenceRulesV1, commonV1 } from '@stechuhr/contracts';
import type { VacationBalance } from '@stechuhr/exporting';
import { readStream, RUN_STALL_MS } from '@stechuhr/service';
import type { CallerBalances } from './sources.js';

type AbsenceRulesClient = absenceRulesV1.AbsenceRulesServiceClient;

/** Reads balances on behalf of a caller; the calls end when the signal aborts. */
export function callerBalances(client: AbsenceRulesClient, caller: commonV1.Caller, signal: AbortSignal): CallerBalances {
  return {
    async *readVacation({ employeeIds, onDay, missingTypes }) {
      // A request without types would return all of them.
      if (employeeIds.length === 0 || missingTypes.length === 0) return;
      const request = { caller, employeeIds: [...employeeIds], onDay, missingTypes: [...missingTypes], withDetails: false };
      for await (const { employees } of readStream(client, client.getBalances, request, { signal, stallMs: RUN_STALL_MS })) {
        for (const { employeeId, balances } of employees) yield { employeeId, vacation: sumOf(balances) };
      }
    },
  };
}

function sumOf(balances: readonly absenceRulesV1.Balance[]): VacationBalance {
  const sum = (amountOf: (balance: absenceRulesV1.Balance) => number): number =>
    balances.reduce((total, balance) => total + amountOf(balance), 0);
  return {
    granted: sum(({ grantedHundredths }) => grantedHundredths),
    taken: sum(({ takenHundredths }) => takenHundredths),
    remaining: sum(({ remainingHundredths }) => remainingHundredths),
    expiring: sum(({ expiringHundredths }) => expiringHundredths),
  };
}
