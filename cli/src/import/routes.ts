import { jsonProblem } from '@stechuhr/kernel';

/** A service that accepts imports. */
export type Owner = 'records' | 'reviews' | 'daily-reports';

/** The service that owns each kind of record (docs/rules/records.md#the-import-contract). */
export const owners = {
  institution: 'records',
  account: 'records',
  department: 'records',
  employee: 'records',
  contract: 'records',
  project: 'records',
  workday: 'records',
  workmonth: 'records',
  absence: 'records',
  absence_application: 'records',
  review_settings: 'reviews',
  daily_report_form: 'daily-reports',
  daily_report_entry: 'daily-reports',
  daily_report_status: 'daily-reports',
} as const satisfies Readonly<Record<string, Owner>>;

const ownersByName: ReadonlyMap<string, Owner> = new Map(Object.entries(owners));

/** The result of routing a line: the service it goes to, nothing to do, or the reason why it is rejected. */
export type Routed =
  | { readonly to: Owner }
  | { readonly isBlank: true }
  | { readonly reason: string; readonly kind: string | null; readonly id: string | null };

/** Routes a line by its kind. The fields are validated by the service that owns the kind. */
export function routeLine(text: string): Routed {
  if (text.trim() === '') return { isBlank: true };
  const value = parse(text);
  if (value === undefined) return rejected(`The line ${jsonProblem(text)}.`);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return rejected('The line is not a JSON object.');
  const id = 'id' in value && typeof value.id === 'string' ? value.id : null;
  const kind = 'kind' in value ? value.kind : undefined;
  if (kind === undefined) return rejected('The field "kind" is missing.', null, id);
  if (typeof kind !== 'string') return rejected('The field "kind" is not a string.', null, id);
  const owner = ownersByName.get(kind);
  if (owner === undefined) return rejected(`"${kind}" is not a known kind.`, kind, id);
  return { to: owner };
}

function rejected(reason: string, kind: string | null = null, id: string | null = null): Routed {
  return { reason, kind, id };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
