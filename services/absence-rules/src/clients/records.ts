import { recordsV1, type commonV1 } from '@stechuhr/contracts';
import { AppError } from '@stechuhr/kernel';
import { readInstitution, toAbsence, toContract } from '@stechuhr/records-client';
import { readStream } from '@stechuhr/service';
import type { MonthDay } from '../domain/calendar.js';
import type { EntitledEmployee, Entitlement, Expiry, ProrationName } from '../domain/entitlement.js';
import type { CallerRecords } from '../operations/ports.js';

const { Proration } = recordsV1;

const STAFF_DEADLINE_MS = 10_000;
/** The number of ids per call, far below the size limit of a message. */
const IDS_A_CALL = 1_000;

/** The records service for one caller. Calls end when the signal aborts. */
export function callerRecords(client: recordsV1.RecordsServiceClient, caller: commonV1.Caller, signal: AbortSignal): CallerRecords {
  return {
    readInstitution: () => readInstitution(client, caller, signal),
    async *readStaff(employeeIds) {
      for (const ids of employeeIds === undefined ? [[]] : slicesOf(employeeIds)) {
        const request = { caller, employeeIds: ids };
        const messages = readStream(client, client.listEntitlements, request, { signal, deadlineMs: STAFF_DEADLINE_MS });
        for await (const { employees } of messages) yield employees.map(toEntitledEmployee);
      }
    },
    async *readAbsences(employeeIds, { first: fromDay, last: toDay }) {
      const { RECORD_PART_ABSENCES, RECORD_PART_CONTRACTS } = recordsV1.RecordPart;
      const parts = [RECORD_PART_ABSENCES, RECORD_PART_CONTRACTS];
      const request = { caller, employeeIds: [...employeeIds], fromDay, toDay, parts };
      for await (const { employees } of readStream(client, client.readTimeRecords, request, { signal })) {
        yield employees.map(({ employeeId, contracts, absences }) => {
          return { employeeId, contracts: contracts.map(toContract), absences: absences.map(toAbsence) };
        });
      }
    },
  };
}

/** Divides ids into slices. None of them is empty, because for the records service no ids means all employees. */
function slicesOf(ids: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(ids.length / IDS_A_CALL) }, (_, at) => ids.slice(at * IDS_A_CALL, (at + 1) * IDS_A_CALL));
}

function toEntitledEmployee({ id, hiredOn, leftOn, archivedOn, entitlements }: recordsV1.EntitledEmployee): EntitledEmployee {
  return { id, hiredOn, leftOn: leftOn ?? null, archivedOn: archivedOn ?? null, entitlements: entitlements.map(toEntitlement) };
}

function toEntitlement(setting: recordsV1.Entitlement): Entitlement {
  return {
    id: setting.id,
    label: setting.label,
    missingType: setting.missingType,
    amount: setting.amountHundredths,
    priority: setting.priority,
    cycleStart: toMonthDay(setting.cycleStart),
    validFrom: setting.validFrom,
    validTo: setting.validTo ?? null,
    expiry: toExpiry(setting.expiry),
    proration: toProration(setting.proration),
  };
}

function toExpiry(expiry: recordsV1.Entitlement['expiry']): Expiry {
  if (expiry === undefined) return { kind: 'never' };
  if (expiry.$case === 'expiryMonths') return { kind: 'months', months: expiry.value };
  return { kind: 'date', monthDay: toMonthDay(expiry.value.monthDay), yearOffset: expiry.value.yearOffset };
}

function toMonthDay(monthDay: recordsV1.MonthDay | undefined): MonthDay {
  if (monthDay === undefined) throw unknown('A setting lacks a day of the year.');
  return monthDay;
}

function toProration(proration: recordsV1.Proration): ProrationName {
  switch (proration) {
    case Proration.PRORATION_NONE:
      return 'none';
    case Proration.PRORATION_TWELFTHS:
      return 'twelfths';
    case Proration.PRORATION_BURLG:
      return 'burlg';
    default:
      throw unknown(`Unknown proration ${String(proration)}.`);
  }
}

function unknown(reason: string): AppError {
  return new AppError('internal', 'Internal error.', { cause: new Error(reason) });
}
