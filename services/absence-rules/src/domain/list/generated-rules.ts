import type { DateRange } from '@stechuhr/worktime';
import { overlapOf } from '../calendar.js';
import type { EntitledEmployee, Entitlement } from '../entitlement.js';
import { grantsOf, type Grant } from '../grant.js';
import { settingRule, type Rule } from '../rule.js';
import { isInWindow, type PageWindow, type Place } from './place-counts.js';

/** The positions of all rules that are generated from the entitlements of an employee within the bounds. */
export function* placesOf(employee: EntitledEmployee, bounds: DateRange): Generator<Place, void, undefined> {
  for (const { entitlement, grant } of grantsOfEmployee(employee, bounds)) yield placeOf(entitlement, grant);
}

/** The rules that are generated from the entitlements of an employee within the bounds. */
export function* settingRules(institutionId: string, employee: EntitledEmployee, bounds: DateRange): Generator<Rule, void, undefined> {
  for (const { entitlement, grant } of grantsOfEmployee(employee, bounds)) {
    yield settingRule({ institutionId, employeeId: employee.id, entitlement }, grant);
  }
}

/** Whose entitlements are expanded, and how far. */
export interface Expansion {
  readonly institutionId: string;
  readonly staff: Iterable<EntitledEmployee>;
  readonly bounds: DateRange;
}

/** The generated rules at the positions of a page, in no particular order. */
export function* rulesInWindow(expansion: Expansion, window: PageWindow): Generator<Rule, void, undefined> {
  const { institutionId, staff } = expansion;
  // Manual rules of the page may be outside of the expansion.
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
