import type { DateRange } from '@stechuhr/worktime';
import { overlapOf } from '../calendar.js';
import type { EntitledEmployee, Entitlement } from '../entitlement.js';
import { grantsOf, type Grant } from '../grant.js';
import { settingRule, type Rule } from '../rule.js';
import { isInWindow, type PageWindow, type Place } from './place-counts.js';

/** Yields the positions of all rules that the entitlements of an employee generate within the bounds. */
export function* placesOf(employee: EntitledEmployee, bounds: DateRange): Generator<Place, void, undefined> {
  for (const { entitlement, grant } of grantsOfEmployee(employee, bounds)) yield placeOf(entitlement, grant);
}

/** Yields the rules that the entitlements of an employee generate within the bounds. */
export function* settingRules(institutionId: string, employee: EntitledEmployee, bounds: DateRange): Generator<Rule, void, undefined> {
  for (const { entitlement, grant } of grantsOfEmployee(employee, bounds)) {
    yield settingRule({ institutionId, employeeId: employee.id, entitlement }, grant);
  }
}

/** The employees whose entitlements are expanded, and the bounds of the expansion. */
export interface Expansion {
  readonly institutionId: string;
  readonly staff: Iterable<EntitledEmployee>;
  readonly bounds: DateRange;
}

/** Yields the generated rules at the positions of a page, unordered. */
export function* rulesInWindow(expansion: Expansion, window: PageWindow): Generator<Rule, void, undefined> {
  const { institutionId, staff } = expansion;
  // The page may contain manual rules beyond the bounds of the expansion.
  const bounds = overlapOf(expansion.bounds, { first: window.first.availableFrom, last: window.last.availableFrom });
  for (const employee of staff) {
    for (const { entitlement, grant } of grantsOfEmployee(employee, bounds)) {
      if (!isInWindow(placeOf(entitlement, grant), window)) continue;
      yield settingRule({ institutionId, employeeId: employee.id, entitlement }, grant);
    }
  }
}

interface OwnedGrant {
  readonly entitlement: Entitlement;
  readonly grant: Grant;
}

function* grantsOfEmployee(employee: EntitledEmployee, bounds: DateRange): Generator<OwnedGrant, void, undefined> {
  for (const entitlement of employee.entitlements) {
    for (const grant of grantsOf(employee, entitlement, bounds)) yield { entitlement, grant };
  }
}

function placeOf({ priority }: Entitlement, { availableFrom }: Grant): Place {
  return { availableFrom, priority };
}
