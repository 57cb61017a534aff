import { recordsV1, type browseV1 } from '@stechuhr/contracts';
import { formatLocalDate, formatLocalDateTime } from '@stechuhr/worktime';
import { local, present, wordFor } from './wire-values.js';

const { ApplicationStatus, Editor, TimespanType } = recordsV1;

const types = { [TimespanType.TIMESPAN_TYPE_WORK]: 'work', [TimespanType.TIMESPAN_TYPE_BREAK]: 'break' };
const editors = { [Editor.EDITOR_EMPLOYEE]: 'employee', [Editor.EDITOR_MANAGER]: 'manager', [Editor.EDITOR_SYSTEM]: 'system' };

export function workdayJson({ employeeId, workday }: browseV1.BrowsedWorkday): object {
  const { id, date, startedAt, endedAt, timespans, edits } = present(workday, 'workday');
  return {
    id,
    employee_id: employeeId,
    date: formatLocalDate(date),
    started_at: formatLocalDateTime(startedAt),
    ended_at: local(endedAt),
    timespans: timespans.map((timespan) => ({ id: timespan.id, ...spanFields(timespan) })),
    edits: edits.map(({ at, by }) => ({ at: formatLocalDateTime(at), by: wordFor(editors, by) })),
  };
}

export function timespanJson({ employeeId, workdayId, date, timespan }: browseV1.BrowsedTimespan): object {
  const span = present(timespan, 'timespan');
  return { id: span.id, employee_id: employeeId, workday_id: workdayId, date: formatLocalDate(date), ...spanFields(span) };
}

function spanFields({ type, startedAt, endedAt, projectId, comment }: recordsV1.Timespan) {
  return {
    type: wordFor(types, type),
    started_at: formatLocalDateTime(startedAt),
    ended_at: local(endedAt),
    project_id: projectId ?? null,
    comment: comment ?? null,
  };
}

export function workmonthJson({ employeeId, workmonth }: browseV1.BrowsedWorkmonth): object {
  const { id, year, month, openingBalanceMinutes } = present(workmonth, 'workmonth');
  return { id, employee_id: employeeId, year, month, opening_balance_minutes: openingBalanceMinutes ?? null };
}

export function absenceJson({ employeeId, absence }: browseV1.BrowsedAbsence): object {
  const { id, missingType, startsOn, endsOn, dayPart, hoursPerDay } = present(absence, 'absence');
  return {
    id,
    employee_id: employeeId,
    missing_type: missingType,
    starts_on: formatLocalDate(startsOn),
    ends_on: formatLocalDate(endsOn),
    day_part: dayPart,
    hours_per_day: hoursPerDay ?? null,
  };
}

const statuses = {
  [ApplicationStatus.APPLICATION_STATUS_PENDING]: 'pending',
  [ApplicationStatus.APPLICATION_STATUS_APPROVED]: 'approved',
  [ApplicationStatus.APPLICATION_STATUS_DECLINED]: 'declined',
};

export function applicationJson({ employeeId, application }: browseV1.BrowsedApplication): object {
  const { id, missingType, startsOn, endsOn, status, createdAt } = present(application, 'application');
  return {
    id,
    employee_id: employeeId,
    missing_type: missingType,
    starts_on: formatLocalDate(startsOn),
    ends_on: formatLocalDate(endsOn),
    status: wordFor(statuses, status),
    created_at: formatLocalDateTime(createdAt),
  };
}
