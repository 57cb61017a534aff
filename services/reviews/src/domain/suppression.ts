import type { EpochDay } from '@stechuhr/worktime';

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

export function sameFields(a: SuppressionFields, b: SuppressionFields): boolean {
  return a.code === b.code && a.employeeId === b.employeeId && a.validFrom === b.validFrom && a.validTo === b.validTo;
}
