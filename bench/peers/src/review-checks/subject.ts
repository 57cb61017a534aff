import type { PlainFinding } from '@stechuhr/bench/cases/review-checks/outcome.js';
import type { EmployeeDocument, WorkdayDocument } from './documents.js';

/** The month under review and the time of the review. Dates are `YYYY-MM-DD`. */
export interface Month {
  readonly first: string;
  readonly last: string;
  readonly now: Date;
}

/** The input of a rule: an employee with all workdays and those of the month, ordered by start, then id. */
export interface Case {
  readonly employee: EmployeeDocument;
  readonly month: Month;
  readonly workdays: readonly WorkdayDocument[];
  readonly monthWorkdays: readonly WorkdayDocument[];
}

export type Found = Omit<PlainFinding, 'code' | 'employeeId'>;
