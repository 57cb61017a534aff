import type { EpochDay } from '@stechuhr/worktime';

/** Limit per institution: the review of a month keeps all of them in memory. */
export const MAX_SUPPRESSIONS = 50_000;

/** The fields of a suppression rule that clients set. */
export interface SuppressionFields {
  readonly code: string;
  /** Null means all employees. */
  readonly employeeId: string | null;
  /** Both inclusive; without a last day, the rule is permanent. */
  readonly validFrom: EpochDay;
  readonly validTo: EpochDay | null;
}

/** Hides findings of one check in a range of days; a review still returns them. */
export interface Suppression extends SuppressionFields {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly modifiedAt: number;
}

/** Whether a rule hides a finding: it must match its check, its employee (or all employees) and its day. */
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
