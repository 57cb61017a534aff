import type { EpochDay } from '@stechuhr/worktime';
import type { MonthDay } from './calendar.js';

/** When a grant lapses: never, so many months after its cycle starts, or on a date of the cycle's year or a later one. */
export type Expiry =
  | { readonly kind: 'never' }
  | { readonly kind: 'months'; readonly months: number }
  | { readonly kind: 'date'; readonly monthDay: MonthDay; readonly yearOffset: number };

export type ProrationName = 'none' | 'twelfths' | 'burlg';

/** A recurring grant as it is set for an employee. */
export interface Entitlement {
  readonly id: string;
  readonly label: string;
  readonly missingType: string;
  /** Days a cycle, in hundredths. */
  readonly amount: number;
  readonly priority: number;
  readonly cycleStart: MonthDay;
  readonly validFrom: EpochDay;
  /** Inclusive; null means open. */
  readonly validTo: EpochDay | null;
  readonly expiry: Expiry;
  readonly proration: ProrationName;
}

/** The employment; `hiredOn` and `leftOn` are days of employment. */
export interface EmploymentSpan {
  readonly hiredOn: EpochDay;
  readonly leftOn: EpochDay | null;
  readonly archivedOn: EpochDay | null;
}

/** The fields of an employee that absence rules need. */
export interface EntitledEmployee extends EmploymentSpan {
  readonly id: string;
  readonly entitlements: readonly Entitlement[];
}
