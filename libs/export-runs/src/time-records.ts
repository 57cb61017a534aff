import { recordsV1 } from '@stechuhr/contracts';
import type { NeededParts, OpeningBalance, StaffRecords } from '@stechuhr/exporting';
import { toAbsence, toContract, toWorkday } from '@stechuhr/records-client';
import { firstDayOfMonth, type Workday } from '@stechuhr/worktime';

const { RecordPart } = recordsV1;

export function toRecordParts(parts: NeededParts): recordsV1.RecordPart[] {
  return [
    ...(parts.contracts ? [RecordPart.RECORD_PART_CONTRACTS] : []),
    ...(parts.absences ? [RecordPart.RECORD_PART_ABSENCES] : []),
    ...(parts.workdays ? [RecordPart.RECORD_PART_WORKDAYS] : []),
    ...(parts.timespans ? [RecordPart.RECORD_PART_TIMESPANS] : []),
    ...(parts.openingBalances ? [RecordPart.RECORD_PART_OPENING_BALANCES] : []),
  ];
}

/**
 * Converts the records of an employee. It creates only one object per record and one array per employee, because it runs for every workday
 * and timespan of an export.
 */
export function toStaffRecords({ employeeId, contracts, absences, workmonths }: recordsV1.EmployeeRecords): StaffRecords {
  const workdays: Workday[] = [];
  const openingBalances: OpeningBalance[] = [];
  for (const month of workmonths) {
    for (const workday of month.workdays) workdays.push(toWorkday(workday));
    const minutes = month.openingBalanceMinutes;
    if (minutes !== undefined) openingBalances.push({ day: firstDayOfMonth(month), seconds: minutes * 60 });
  }
  return { employeeId, contracts: contracts.map(toContract), absences: absences.map(toAbsence), workdays, openingBalances };
}
