import { recordsV1 } from '@stechuhr/contracts';
import { AppError } from '@stechuhr/kernel';
import { toAbsence, toContract, toWorkday } from '@stechuhr/records-client';
import { firstDayOfMonth, monthOf, startOfLocalDay, weekday } from '@stechuhr/worktime';
import type { DateRange, Employment, EpochDay, Workday, YearMonth } from '@stechuhr/worktime';
import type { SubjectRecords } from '../domain/prepare-subject.js';
import type { AccountStart, Edit } from '../domain/subject.js';
import type { Organization } from '../operations/ports.js';

const { ApplicationStatus, Editor } = recordsV1;

/** The data for the conversion that the messages do not contain. */
export interface SubjectTerms {
  readonly organization: Organization;
  readonly month: DateRange;
  readonly accounts: boolean;
  readonly employments: ReadonlyMap<string, Employment>;
}

/** Converts the employees who have a workday in the month. All others are left out. */
export function toSubjects(employees: readonly recordsV1.EmployeeRecords[], terms: SubjectTerms): readonly SubjectRecords[] {
  const reviewed = ordinal(monthOf(terms.month.first));
  return employees.flatMap((employee) => toSubject(employee, { ...terms, reviewed }) ?? []);
}

interface Conversion extends SubjectTerms {
  readonly reviewed: number;
}

function toSubject(records: recordsV1.EmployeeRecords, conversion: Conversion): SubjectRecords | undefined {
  const { employeeId, workmonths } = records;
  const { organization, reviewed, employments, accounts } = conversion;
  const month = workmonths.find((candidate) => ordinal(candidate) === reviewed);
  const employment = employments.get(employeeId);
  if (month === undefined || month.workdays.length === 0 || employment === undefined) return undefined;
  return {
    employeeId,
    workmonthId: month.id,
    workdays: workdaysAround(workmonths, conversion),
    terms: { employment, contracts: records.contracts.map(toContract), holidays: organization.holidays },
    absences: records.absences.map(toAbsence),
    absenceTypes: organization.absenceTypes,
    applications: records.applications.map(toApplication),
    account: accounts ? toAccountStart(workmonths, reviewed) : undefined,
  };
}

/**
 * Returns the workdays of the month and the relevant ones of its neighbours. From the month before: starts and ends of all workdays, and
 * complete workdays from the Monday of the first week on. From the month after: workdays that may begin before a workday dated in the
 * month.
 */
function workdaysAround(workmonths: readonly recordsV1.Workmonth[], { month, reviewed }: Conversion): SubjectRecords['workdays'] {
  const firstMonday = month.first - weekday(month.first);
  const end = startOfLocalDay(month.last + 2);
  const workdays: SubjectRecords['workdays'][number][] = [];
  for (const workmonth of workmonths) {
    if (Math.abs(ordinal(workmonth) - reviewed) > 1) continue;
    for (const workday of workmonth.workdays) if (workday.startedAt < end) workdays.push(toReviewed(workday, firstMonday));
  }
  return workdays;
}

function toReviewed(workday: recordsV1.Workday, firstMonday: EpochDay): SubjectRecords['workdays'][number] {
  if (workday.date >= firstMonday) return { ...toWorkday(workday), edits: workday.edits.map(toEdit) };
  return { ...toWorkday({ ...workday, timespans: [] }), edits: [] };
}

/**
 * Returns where the overtime account begins: at the latest opening balance up to the month or, if there is none, at zero in the first
 * tracked month (docs/rules/reviews.md#what-is-checked).
 */
function toAccountStart(workmonths: readonly recordsV1.Workmonth[], reviewed: number): AccountStart | undefined {
  const known = workmonths.filter((month) => ordinal(month) <= reviewed);
  const start =
    known.findLast(({ openingBalanceMinutes }) => openingBalanceMinutes !== undefined) ?? known.find(({ workdays }) => workdays.length > 0);
  if (start === undefined) return undefined;
  const earlier = known.filter((month) => ordinal(month) >= ordinal(start) && ordinal(month) < reviewed);
  return {
    since: firstDayOfMonth(start),
    openingSeconds: (start.openingBalanceMinutes ?? 0) * 60,
    earlierWorkdays: earlier.flatMap(({ workdays }): Workday[] => workdays.map(toWorkday)),
  };
}

function toEdit({ at, by }: recordsV1.Edit): Edit {
  switch (by) {
    case Editor.EDITOR_EMPLOYEE:
      return { at, by: 'employee' };
    case Editor.EDITOR_MANAGER:
      return { at, by: 'manager' };
    case Editor.EDITOR_SYSTEM:
      return { at, by: 'system' };
    default:
      throw new AppError('internal', 'Internal error.', { cause: new Error(`Unknown editor ${String(by)}.`) });
  }
}

function toApplication({ id, startsOn, endsOn, status }: recordsV1.AbsenceApplication): SubjectRecords['applications'][number] {
  return { id, startsOn, endsOn, isPending: status === ApplicationStatus.APPLICATION_STATUS_PENDING };
}

function ordinal({ year, month }: YearMonth): number {
  return year * 12 + month;
}
