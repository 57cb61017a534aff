import type { EpochDay } from '@stechuhr/worktime';
import type { MonthDay } from './calendar.js';

/** When a grant expires: never, a number of months after its cycle starts, or on a date in the year of the cycle or a later one. */
export type Expiry =
  | { readonly kind: 'never' }
  | { readonly kind: 'months'; readonly months: number }
  | { readonly kind: 'date'; readonly monthDay: MonthDay; readonly yearOffset: number };

export type ProrationName = 'none' | 'twelfths' | 'burlg';

/** An entitlement of an employee: a recurring grant of absence days. */
export interface Entitlement {
  readonly id: string;
  readonly label: string;
  readonly missingType: string;
  /** Days per cycle, in hundredths. */
  readonly amount: number;
  readonly priority: number;
  readonly cycleStart: MonthDay;
  readonly validFrom: EpochDay;
  /** The last day, inclusive; null means that there is no end. */
  readonly validTo: EpochDay | null;
  readonly expiry: Expiry;
  readonly proration: ProrationName;
}

/** The employment; `hiredOn` and `leftOn` are its first and last day. */
export interface EmploymentSpan {
  readonly hiredOn: EpochDay;
  readonly leftOn: EpochDay | null;
  readonly archivedOn: EpochDay | null;
}

/** The maximum number of entitlements that are in memory while a page of rules is created: about 20 MB. */
export const KEPT_ENTITLEMENTS = 50_000;

/** The fields of an employee that absence rules need. */
export interface EntitledEmployee extends EmploymentSpan {
  readonly id: string;
  readonly entitlements: readonly Entitlement[];
}
