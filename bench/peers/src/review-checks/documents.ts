import type { SubjectRecords } from '@stechuhr/reviews/domain/prepare-subject.js';
import { formatLocalDate, type EpochSecond, type Workday } from '@stechuhr/worktime';

/** A timespan as read from a database. */
export interface TimespanDocument {
  readonly id: string;
  readonly type: 'work' | 'break';
  readonly startedAt: Date;
  readonly endedAt: Date | null;
}

export interface WorkdayDocument {
  readonly id: string;
  /** `YYYY-MM-DD`, like all dates in this file. */
  readonly date: string;
  readonly startedAt: Date;
  readonly endedAt: Date | null;
  readonly timespans: readonly TimespanDocument[];
  readonly edits: readonly { readonly at: Date; readonly by: string }[];
}

export interface PeriodDocument {
  readonly id: string;
  readonly startsOn: string;
  readonly endsOn: string;
}

/** An employee with all records that the review of a month needs. */
export interface EmployeeDocument {
  readonly employeeId: string;
  readonly workdays: readonly WorkdayDocument[];
  readonly hiredOn: string;
  readonly contract: { readonly plannedMinutes: readonly number[]; readonly overtimeMinHours: number | null; readonly overtimeMaxHours: number | null }; // prettier-ignore
  readonly isHoliday: (date: string) => boolean;
  /** All of these absences are credited. */
  readonly absences: readonly PeriodDocument[];
  readonly applications: readonly (PeriodDocument & { readonly isPending: boolean })[];
  readonly account: { readonly since: string; readonly openingSeconds: number };
}

export function toDocument({ employeeId, workdays, terms, absences, applications, account }: SubjectRecords): EmployeeDocument {
  const [contract] = terms.contracts;
  if (contract === undefined || account === undefined) throw new Error('The records lack a contract or an account.');
  const year = Array.from({ length: 365 }, (_, index) => 20_454 + index);
  const holidays = new Set(year.filter((day) => terms.holidays.isHoliday(day)).map(formatLocalDate));
  const period = <P extends { startsOn: number; endsOn: number }>(record: P) => ({
    ...record,
    startsOn: formatLocalDate(record.startsOn),
    endsOn: formatLocalDate(record.endsOn),
  });
  return {
    employeeId,
    workdays: workdays.map((workday) => ({ ...toWorkday(workday), edits: workday.edits.map(({ at, by }) => ({ at: dateOf(at), by })) })),
    hiredOn: formatLocalDate(terms.employment.hiredOn),
    contract,
    isHoliday: (date) => holidays.has(date),
    absences: absences.map(period),
    applications: applications.map(period),
    account: { since: formatLocalDate(account.since), openingSeconds: account.openingSeconds },
  };
}

function toWorkday({ id, date, startedAt, endedAt, timespans }: Workday): Omit<WorkdayDocument, 'edits'> {
  return {
    id,
    date: formatLocalDate(date),
    startedAt: dateOf(startedAt),
    endedAt: endedAt === null ? null : dateOf(endedAt),
    timespans: timespans.map((timespan) => ({
      id: timespan.id,
      type: timespan.type,
      startedAt: dateOf(timespan.startedAt),
      endedAt: timespan.endedAt === null ? null : dateOf(timespan.endedAt),
    })),
  };
}

function dateOf(seconds: EpochSecond): Date {
  return new Date(seconds * 1000);
}
