import type { PlainFinding } from '@stechuhr/bench/cases/review-checks/outcome.js';
import type { EmployeeDocument, WorkdayDocument } from './documents.js';

/** What is reviewed, and when; dates `YYYY-MM-DD`. */
export interface Month {
  readonly first: string;
  readonly last: string;
  readonly now: Date;
}

/** An employee as the rules get it: all workdays by start, then id, and those of the month. */
export interface Case {
  readonly employee: EmployeeDocument;
  readonly month: Month;
  readonly workdays: readonly WorkdayDocument[];
  readonly monthWorkdays: readonly WorkdayDocument[];
}

export type Found = Omit<PlainFinding, 'code' | 'employeeId'>;
