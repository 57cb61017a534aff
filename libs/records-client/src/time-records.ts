import { recordsV1 } from '@stechuhr/contracts';
import { AppError } from '@stechuhr/kernel';
import type { Absence, Contract, Timespan, Workday } from '@stechuhr/worktime';

const { TimespanType } = recordsV1;

/** Converts a workday with its timespans. @throws AppError `internal` if the type of a timespan is unknown */
export function toWorkday({ id, date, startedAt, endedAt, timespans }: recordsV1.Workday): Workday {
  return { id, date, startedAt, endedAt: endedAt ?? null, timespans: timespans.map(toTimespan) };
}

/** Converts a contract; missing fields become null. */
export function toContract(contract: recordsV1.Contract): Contract {
  return {
    id: contract.id,
    validFrom: contract.validFrom,
    validTo: contract.validTo ?? null,
    plannedMinutes: contract.plannedMinutes,
    overtimeMinHours: contract.overtimeMinHours ?? null,
    overtimeMaxHours: contract.overtimeMaxHours ?? null,
  };
}

/** Converts an absence; missing fields become null. */
export function toAbsence({ id, missingType, startsOn, endsOn, dayPart, hoursPerDay }: recordsV1.Absence): Absence {
  return { id, missingType, startsOn, endsOn, dayPart, hoursPerDay: hoursPerDay ?? null };
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
      throw new AppError('internal', 'Internal error.', { cause: new Error(`Unknown timespan type ${String(type)}.`) });
  }
}
