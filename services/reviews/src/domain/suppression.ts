import type { DateRange, EpochDay } from '@stechuhr/worktime';

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

interface HideableFinding {
  readonly code: string;
  readonly employeeId: string;
  readonly date: EpochDay;
}

/**
 * Returns a function that tells whether one of the rules hides a finding of these days: the check and the day must match, and the employee
 * unless the rule applies to all. The days are collected once, because both rules and findings may be tens of thousands.
 */
export function hiddenBy(rules: Iterable<SuppressionFields>, days: DateRange): (finding: HideableFinding) => boolean {
  const hidden = new Map<string, Set<EpochDay>>();
  for (const { code, employeeId, validFrom, validTo } of rules) {
    const target = `${code}/${employeeId ?? ''}`;
    const ofTarget = hidden.get(target) ?? new Set();
    hidden.set(target, ofTarget);
    const last = Math.min(validTo ?? days.last, days.last);
    for (let day = Math.max(validFrom, days.first); day <= last; day += 1) ofTarget.add(day);
  }
  const isHidden = (target: string, date: EpochDay) => hidden.get(target)?.has(date) === true;
  return ({ code, employeeId, date }) => isHidden(`${code}/${employeeId}`, date) || isHidden(`${code}/`, date);
}

export function sameFields(a: SuppressionFields, b: SuppressionFields): boolean {
  return a.code === b.code && a.employeeId === b.employeeId && a.validFrom === b.validFrom && a.validTo === b.validTo;
}
