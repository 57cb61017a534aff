import type { EpochDay } from '@stechuhr/worktime';

/** Rules of an institution: the review of a month holds all of them in memory. */
export const MAX_SUPPRESSIONS = 50_000;

/** What a client says about a suppression rule. */
export interface SuppressionFields {
  readonly code: string;
  /** Null is for all. */
  readonly employeeId: string | null;
  /** Both inclusive; without a last day it is permanent. */
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

/** Whether a rule hides a finding: one of its check, of its employee or of all, on one of its days. */
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
