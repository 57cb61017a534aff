import { calendarDate, epochDay, type EpochDay } from '@stechuhr/worktime';
import { cycleOf, cycleYearOf, dayInYear, isEmptyRange, monthsLater, NEVER, overlapOf, type MonthDay } from './calendar.js';
import type { EmploymentSpan, Entitlement, Expiry } from './entitlement.js';
import { prorations } from './prorations.js';

const MAX_YEARS_AHEAD = 10;

/** The grant of one cycle of an entitlement. */
export interface Grant {
  /** The year in which the cycle starts, which identifies the cycle. */
  readonly year: number;
  /** In hundredths; more than 0. */
  readonly amount: number;
  readonly availableFrom: EpochDay;
  /** Last day on which it can be used. */
  readonly expiresAt: EpochDay;
}

/** Returns the grant of the cycle of a year; undefined if it grants nothing (docs/rules/absence-rules.md#entitlements). */
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

/** Yields the grants of an entitlement that become available between the bounds (both inclusive), sorted by that day. */
export function* grantsOf(
  employment: EmploymentSpan,
  entitlement: Entitlement,
  bounds: { readonly first: EpochDay; readonly last: EpochDay },
): Generator<Grant, void, undefined> {
  const { cycleStart, validFrom, validTo } = entitlement;
  // Grants of earlier cycles become available before all of these days.
  const from = Math.max(bounds.first, validFrom, employment.hiredOn);
  const until = Math.min(bounds.last, validTo ?? NEVER, employment.leftOn ?? NEVER, employment.archivedOn ?? NEVER);
  if (from > until) return;
  const lastYear = cycleYearOf(cycleStart, until);
  for (let year = cycleYearOf(cycleStart, from); year <= lastYear; year += 1) {
    const grant = grantOf(employment, entitlement, year);
    if (grant !== undefined && grant.availableFrom >= bounds.first && grant.availableFrom <= bounds.last) yield grant;
  }
}

/**
 * Returns the last day up to which entitlements are expanded: the requested day or else the end of this year, but at most the end of the tenth
 * year after it.
 */
export function expansionLimit(requested: EpochDay | undefined, today: EpochDay): EpochDay {
  const { year } = calendarDate(today);
  return Math.min(requested ?? epochDay(year, 12, 31), epochDay(year + MAX_YEARS_AHEAD, 12, 31));
}

/** Returns the last day on which the grant of a cycle can be used. */
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
