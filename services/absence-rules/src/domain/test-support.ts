import { formatLocalDate, parseLocalDate, type EpochDay } from '@stechuhr/worktime';
import type { EmploymentSpan, EntitledEmployee, Entitlement } from './entitlement.js';
import type { Rule } from './rule.js';

export function day(text: string): EpochDay {
  const found = parseLocalDate(text);
  if (found === undefined) throw new Error(`${text} is no date.`);
  return found;
}

export function dates(...days: readonly EpochDay[]): string[] {
  return days.map(formatLocalDate);
}

/** An entitlement of thirty days per calendar year without an end. */
export function entitlement(fields: Partial<Entitlement> = {}): Entitlement {
  return {
    id: '5e771900-0000-4000-8000-000000000001',
    label: 'Urlaub',
    missingType: 'vacation',
    amount: 3000,
    priority: 0,
    cycleStart: { month: 1, day: 1 },
    validFrom: day('2000-01-01'),
    validTo: null,
    expiry: { kind: 'never' },
    proration: 'none',
    ...fields,
  };
}

export function employed(hiredOn: string, leftOn?: string, archivedOn?: string): EmploymentSpan {
  return {
    hiredOn: day(hiredOn),
    leftOn: leftOn === undefined ? null : day(leftOn),
    archivedOn: archivedOn === undefined ? null : day(archivedOn),
  };
}

export function employee(n: number, entitlements: readonly Entitlement[], span = employed('2020-01-01')): EntitledEmployee {
  return { id: `e0000000-0000-4000-8000-${String(n).padStart(12, '0')}`, ...span, entitlements };
}

export function rule(fields: Partial<Rule> = {}): Rule {
  return {
    id: '40000000-0000-4000-8000-000000000001',
    employeeId: 'e0000000-0000-4000-8000-000000000001',
    label: 'Sonderurlaub',
    missingType: 'vacation',
    amount: 100,
    priority: 0,
    availableFrom: day('2026-01-01'),
    expiresAt: day('2026-12-31'),
    source: 'manual',
    ...fields,
  };
}
