import { firmId } from './firm-id.js';

/** Somebody of a firm, with what decides how they work. */
export interface FirmEmployee {
  readonly number: number;
  readonly n: number;
  readonly reference: { readonly institution_id: string; readonly employee_id: string };
  readonly random: () => number;
  /** Shifts begin in the evening. */
  readonly atNight: boolean;
  /** Cuts a break short now and then, which a review finds. */
  readonly careless: boolean;
  readonly projects: number;
  readonly records: readonly object[];
}

const FIRST_NAMES = ['Jürgen', 'Melek', 'Anna', 'Søren', 'Zoë', 'Max', 'Łukasz', 'Emine', 'Karl', 'Ida'];
const LAST_NAMES = ['Müller', 'Akgün', 'Groß', 'von "der" Au', 'Nowak', 'Yılmaz', 'Becker', 'Öztürk, jun.', 'Weiß', 'Schäfer'];

interface Surroundings {
  readonly random: () => number;
  readonly careless: boolean;
  readonly departments: number;
  readonly projects: number;
}

export function firmEmployee(number: number, n: number, { random, careless, departments, projects }: Surroundings): FirmEmployee {
  const institution_id = firmId(number, 'institution', 0);
  const employee_id = firmId(number, 'employee', n);
  const pick = (names: readonly string[]): string => names[Math.floor(random() * names.length)] ?? '';
  const name = { first_name: pick(FIRST_NAMES), last_name: `${pick(LAST_NAMES)} ${n % 97}` };
  const place = { department_id: firmId(number, 'department', n % departments), custom_fields: { position: 'Monteur' } };
  const employment = { hired_on: '2015-02-01', left_on: null, archived_on: null };
  const numbers = { account_id: null, number: String(10_000 + n), accounting_number: String(50_000 + n), email: `e${n}@example.com` };
  const entitlements = [entitlement(firmId(number, 'entitlement', n))];
  const reference = { institution_id, employee_id };
  const validity = { valid_from: '2015-02-01', valid_to: null, overtime_min_hours: -40, overtime_max_hours: 60 };
  const contract = { ...validity, planned_minutes: [480, 480, 480, 480, 480, 0, 0] };
  return {
    number,
    n,
    reference,
    random,
    projects,
    atNight: n % 20 === 0,
    careless,
    records: [
      { kind: 'employee', id: employee_id, institution_id, ...numbers, ...name, ...place, ...employment, entitlements },
      { kind: 'contract', id: firmId(number, 'contract', n), ...reference, ...contract },
    ],
  };
}

/** Five years of vacation, a rule a year. */
function entitlement(id: string): object {
  const amount = { label: 'Jahresurlaub', missing_type: 'vacation', amount: 30, priority: 1, proration: 'none' };
  const expiry = { month_day: '03-31', year_offset: 1 };
  return { id, ...amount, cycle_start: '01-01', valid_from: '2021-01-01', valid_to: '2025-12-31', expiry };
}
