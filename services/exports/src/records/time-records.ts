import { recordsV1 } from '@stechuhr/contracts';
import type { NeededParts, StaffRecords } from '@stechuhr/exporting';
import { AppError } from '@stechuhr/kernel';
import type { Absence, Contract, Timespan, Workday } from '@stechuhr/worktime';

const { RecordPart, TimespanType } = recordsV1;

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

function toWorkday({ id, date, startedAt, endedAt, timespans }: recordsV1.Workday): Workday {
  return { id, date, startedAt, endedAt: endedAt ?? null, timespans: timespans.map(toTimespan) };
}

function toTimespan({ id, type, startedAt, endedAt, projectId, comment }: recordsV1.Timespan): Timespan {
  return {
    id,
    type: toTimespanType(type),
    startedAt,
    endedAt: endedAt ?? null,
    projectId: projectId ?? null,
    comment: comment ?? null,
  };
}

function toTimespanType(type: recordsV1.TimespanType): Timespan['type'] {
  switch (type) {
    case TimespanType.TIMESPAN_TYPE_WORK:
      return 'work';
    case TimespanType.TIMESPAN_TYPE_BREAK:
      return 'break';
    default:
      throw new AppError('internal', 'Internal error.', { cause: new Error(`Unknown timespan type ${type}.`) });
  }
}

function toContract(contract: recordsV1.Contract): Contract {
  return {
    id: contract.id,
    validFrom: contract.validFrom,
    validTo: contract.validTo ?? null,
    plannedMinutes: contract.plannedMinutes,
    overtimeMinHours: contract.overtimeMinHours ?? null,
    overtimeMaxHours: contract.overtimeMaxHours ?? null,
  };
}

function toAbsence({ id, missingType, startsOn, endsOn, dayPart, hoursPerDay }: recordsV1.Absence): Absence {
  return { id, missingType, startsOn, endsOn, dayPart, hoursPerDay: hoursPerDay ?? null };
}
