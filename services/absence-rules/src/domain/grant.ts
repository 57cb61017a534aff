import { calendarDate, epochDay, type EpochDay } from '@stechuhr/worktime';
import { cycleOf, cycleYearOf, dayInYear, isEmptyRange, monthsLater, NEVER, overlapOf, type MonthDay } from './calendar.js';
import type { EmploymentSpan, Entitlement, Expiry } from './entitlement.js';
import { prorations } from './prorations.js';

const MAX_YEARS_AHEAD = 10;

/** What one cycle of an entitlement grants. */
export interface Grant {
  /** The year in which the cycle starts, which identifies the cycle. */
  readonly year: number;
  /** In hundredths; more than 0. */
  readonly amount: number;
  readonly availableFrom: EpochDay;
  /** Last day on which it can be used. */
  readonly expiresAt: EpochDay;
}

/** What the cycle of a year grants; undefined if it grants nothing (docs/rules/absence-rules.md#entitlements). */
export function grantOf(employment: EmploymentSpan, entitlement: Entitlement, year: number): Grant | undefined {
  const { amount, cycleStart, validFrom, validTo, proration } = entitlement;
  const { hiredOn, leftOn, archivedOn } = employment;
  const cycle = cycleOf(cycleStart, year);
  const employed = overlapOf(cycle, { first: hiredOn, last: leftOn ?? NEVER });
  const valid = overlapOf(employed, { first: validFrom, last: validTo ?? NEVER });
  const lapses = expiresAt(entitlement.expiry, cycleStart, year);
  if (isEmptyRange(valid) || lapses < valid.first || (archivedOn !== null && archivedOn < valid.first)) return undefined;
  const granted = prorations[proration]({ amount, cycle, employment, employed, valid });
  return granted === 0 ? undefined : { year, amount: granted, availableFrom: valid.first, expiresAt: lapses };
}

/** The grants of an entitlement, by the day from which they are available, between the bounds (both inclusive). */
export function* grantsOf(
  employment: EmploymentSpan,
  entitlement: Entitlement,
  bounds: { readonly first: EpochDay; readonly last: EpochDay },
): Generator<Grant, void, undefined> {
  const { cycleStart, validFrom, validTo } = entitlement;
  // Grants of earlier cycles are available before these days.
  const from = Math.max(bounds.first, validFrom, employment.hiredOn);
  const until = Math.min(bounds.last, validTo ?? NEVER, employment.leftOn ?? NEVER, employment.archivedOn ?? NEVER);
  if (from > until) return;
  const lastYear = cycleYearOf(cycleStart, until);
  for (let year = cycleYearOf(cycleStart, from); year <= lastYear; year += 1) {
    const grant = grantOf(employment, entitlement, year);
    if (grant !== undefined && grant.availableFrom >= bounds.first && grant.availableFrom <= bounds.last) yield grant;
  }
}

/** The last day up to which entitlements are expanded: the requested one, otherwise the end of this year; at most ten years ahead. */
export function expansionLimit(asked: EpochDay | undefined, today: EpochDay): EpochDay {
  const { year } = calendarDate(today);
  return Math.min(asked ?? epochDay(year, 12, 31), epochDay(year + MAX_YEARS_AHEAD, 12, 31));
}

/** The last day on which the grant of a cycle can be used. */
function expiresAt(expiry: Expiry, cycleStart: MonthDay, year: number): EpochDay {
  switch (expiry.kind) {
    case 'never':
      return NEVER;
    case 'months':
      return monthsLater(cycleStart, year, expiry.months) - 1;
    case 'date':
      return dayInYear(expiry.monthDay, year + expiry.yearOffset);
  }
}
