import type { PlainFinding } from '@stechuhr/bench/cases/review-checks/outcome.js';
import { excessiveSessionFragmentation, delayedEmployeeEdit, overtimeAccountOutOfRange, zeroDurationTimespan } from './anomalies.js';
import { futureWorkday, overlappingWorkdays, unbalancedWorktime } from './conflicts.js';
import type { EmployeeDocument } from './documents.js';
import { excessiveDailyHours, excessiveWeeklyHours, insufficientBreak, insufficientRestPeriod } from './legal.js';
import { incompleteWorkday, pendingAbsenceApplication, unfiledAbsence } from './missing.js';
import type { Case, Found, Month } from './subject.js';

type Rule = (subject: Case) => readonly Found[];

const rules: Readonly<Record<string, Rule>> = {
  'incomplete-workday': incompleteWorkday,
  'unfiled-absence': unfiledAbsence,
  'pending-absence-application': pendingAbsenceApplication,
  'overlapping-workdays': overlappingWorkdays,
  'unbalanced-worktime': unbalancedWorktime,
  'future-workday': futureWorkday,
  'insufficient-break': insufficientBreak,
  'excessive-daily-hours': excessiveDailyHours,
  'insufficient-rest-period': insufficientRestPeriod,
  'excessive-weekly-hours': excessiveWeeklyHours,
  'zero-duration-timespan': zeroDurationTimespan,
  'excessive-session-fragmentation': excessiveSessionFragmentation,
  'overtime-account-out-of-range': overtimeAccountOutOfRange,
  'delayed-employee-edit': delayedEmployeeEdit,
};

export function reviewEmployee(employee: EmployeeDocument, month: Month): readonly PlainFinding[] {
  const workdays = employee.workdays.toSorted((a, b) => a.startedAt.getTime() - b.startedAt.getTime() || (a.id < b.id ? -1 : 1));
  const subject = { employee, month, workdays, monthWorkdays: workdays.filter(({ date }) => isIn(month, date)) };
  if (subject.monthWorkdays.length === 0) return [];
  return Object.entries(rules).flatMap(([code, rule]) =>
    rule(subject).map((found) => ({ code, employeeId: employee.employeeId, ...found })),
  );
}

function isIn({ first, last }: Month, date: string): boolean {
  return date >= first && date <= last;
}
