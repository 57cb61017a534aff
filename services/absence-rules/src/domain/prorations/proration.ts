import type { DateRange } from '@stechuhr/worktime';
import type { EmploymentSpan } from '../entitlement.js';

/** What a proration looks at: one cycle of one setting of one employee. */
export interface CycleShare {
  /** Days a whole cycle grants, in hundredths. */
  readonly amount: number;
  readonly cycle: DateRange;
  readonly employment: EmploymentSpan;
  /** The days of the cycle on which the employee is employed. */
  readonly employed: DateRange;
  /** Those of them on which the setting is valid. */
  readonly valid: DateRange;
}

/** Days that a share of a cycle grants, in hundredths. */
export type Proration = (share: CycleShare) => number;
