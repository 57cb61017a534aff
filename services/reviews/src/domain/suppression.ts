import type { EpochDay } from '@stechuhr/worktime';

/** The maximum number of rules of an institution. A review holds all of them in memory. */
export const MAX_SUPPRESSIONS = 50_000;

/** The fields of a suppression rule that a client sets. */
export interface SuppressionFields {
  readonly code: string;
  /** Null means all employees. */
  readonly employeeId: string | null;
  /** First and last day, both included. A rule without a last day is permanent. */
  readonly validFrom: EpochDay;
  readonly validTo: EpochDay | null;
}

/** A rule that hides findings of one check in a range of days. Reviews still return them. */
export interface Suppression extends SuppressionFields {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly modifiedAt: number;
}

/** Returns whether a rule hides a finding: the check and the day must match, and the employee unless the rule applies to all. */
export function hides(rule: SuppressionFields, { code, employeeId, date }: HideableFinding): boolean {
  if (rule.code !== code || (rule.employeeId !== null && rule.employeeId !== employeeId)) return false;
  return rule.validFrom <= date && (rule.validTo === null || date <= rule.validTo);
}

interface HideableFinding {
  readonly code: string;
  readonly employeeId: string;
  readonly date: EpochDay;
}

export function sameFields(a: SuppressionFields, b: SuppressionFields): boolean {
  return a.code === b.code && a.employeeId === b.employeeId && a.validFrom === b.validFrom && a.validTo === b.validTo;
}
