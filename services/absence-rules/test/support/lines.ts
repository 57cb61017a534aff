import { newId } from '@stechuhr/kernel';
import { parseLocalDate, type EpochDay } from '@stechuhr/worktime';

export function day(text: string): EpochDay {
  const found = parseLocalDate(text);
  if (found === undefined) throw new Error(`${text} is no date.`);
  return found;
}

/** An entitlement of thirty days per calendar year since 2024, without an end. */
export function setting(fields: object = {}): { readonly id: string } {
  const id = newId();
  const defaults = {
    label: 'Urlaub',
    missing_type: 'vacation',
    amount: '30.00',
    priority: 0,
    cycle_start: '01-01',
    valid_from: '2024-01-01',
    valid_to: null,
    expiry: null,
    proration: 'none',
  };
  return { id, ...defaults, ...fields };
}

/** The body of a rule that grants one day in 2026. */
export function body(employeeId: string, fields: object = {}): object {
  return {
    employee_id: employeeId,
    label: 'Sonderurlaub',
    missing_type: 'vacation',
    amount: '1.00',
    priority: 1,
    available_from: '2026-01-01',
    expires_at: '2026-12-31',
    ...fields,
  };
}
