import type { DateRange } from '@stechuhr/worktime';
import type { EntitledEmployee, Entitlement } from '../entitlement.js';
import { grantsOf, type Grant } from '../grant.js';
import { settingRule, type Rule } from '../rule.js';
import { isOwnedInWindow, type OwnerWindow } from './owner-counts.js';
import type { Place } from './place-counts.js';

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

/** Yields the rules that the entitlements of an employee generate within the bounds and the window, unordered. */
export function* rulesInWindow(
  institutionId: string,
  employee: EntitledEmployee,
  { bounds, window }: { readonly bounds: DateRange; readonly window: OwnerWindow },
): Generator<Rule, void, undefined> {
  const { id: employeeId } = employee;
  for (const { entitlement, grant } of grantsOfEmployee(employee, bounds)) {
    if (!isOwnedInWindow({ ...placeOf(entitlement, grant), employeeId }, window)) continue;
    yield settingRule({ institutionId, employeeId, entitlement }, grant);
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
