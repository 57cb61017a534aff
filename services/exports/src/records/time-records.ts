import { recordsV1 } from '@stechuhr/contracts';
import type { NeededParts, StaffRecords } from '@stechuhr/exporting';
import { toAbsence, toContract, toWorkday } from '@stechuhr/records-client';
import type { Workday } from '@stechuhr/worktime';

const { RecordPart } = recordsV1;

export function toRecordParts(parts: NeededParts): recordsV1.RecordPart[] {
  return [
    ...(parts.contracts ? [RecordPart.RECORD_PART_CONTRACTS] : []),
    ...(parts.absences ? [RecordPart.RECORD_PART_ABSENCES] : []),
    ...(parts.workdays ? [RecordPart.RECORD_PART_WORKDAYS] : []),
    ...(parts.timespans ? [RecordPart.RECORD_PART_TIMESPANS] : []),
  ];
}

/** One object a record and one array an employee: this runs for every workday and timespan of an export. */
export function toStaffRecords({ employeeId, contracts, absences, workmonths }: recordsV1.EmployeeRecords): StaffRecords {
  const workdays: Workday[] = [];
  for (const month of workmonths) {
    for (const workday of month.workdays) workdays.push(toWorkday(workday));
  }
  return { employeeId, contracts: contracts.map(toContract), absences: absences.map(toAbsence), workdays };
}
