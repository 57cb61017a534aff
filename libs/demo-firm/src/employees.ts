import { addDays, formatLocalDate, type EpochDay } from '@stechuhr/worktime';
import { departmentId } from './departments.js';
import { idOf, type Firm } from './firm.js';
import type { Person } from './people.js';
import { sitesOf } from './projects.js';
import type { AccountRecord, EmployeeRecord } from './records.js';

/** Days after the last day of employment until an employee is archived. */
const ARCHIVED_AFTER_DAYS = 120;

export function employeeId(firm: Firm, person: Person): string {
  return idOf(firm, `employee/${person.key}`);
}

export function accountId(firm: Firm, person: Person): string {
  return idOf(firm, `account/${person.key}`);
}

/**
 * Returns the account of a person who can log in; null for all others. Department leaders see their department, and one of them only some
 * of its projects.
 */
export function accountRecord(firm: Firm, person: Person): AccountRecord | null {
  const { role, department, trait } = person.post;
  if (role === undefined) return null;
  return {
    kind: 'account',
    institution_id: firm.institutionId,
    id: accountId(firm, person),
    first_name: person.name.first,
    last_name: person.name.last,
    email: person.email ?? `${person.key}@${firm.mailDomain}`,
    // There is one administrator, however many repetitions of the pattern there are.
    role: role === 'admin' && person.block > 0 ? 'manager' : role,
    department_ids: role === 'department_leader' ? [departmentId(firm, department, person.block)] : [],
    project_ids: trait === 'some-projects' ? sitesOf(firm, person.block).civil : null,
  };
}

export function employeeRecord(firm: Firm, person: Person, today: EpochDay): EmployeeRecord {
  const { post, employment } = person;
  const leftOn = employment.leftOn !== null && employment.leftOn < today ? employment.leftOn : null;
  const archivedOn = leftOn === null ? null : addDays(leftOn, ARCHIVED_AFTER_DAYS);
  return {
    kind: 'employee',
    institution_id: firm.institutionId,
    id: employeeId(firm, person),
    account_id: post.role === undefined ? null : accountId(firm, person),
    number: person.number,
    accounting_number: person.accountingNumber,
    first_name: person.name.first,
    last_name: person.name.last,
    email: person.email,
    department_id: departmentId(firm, post.department, person.block),
    custom_fields: customFields(person),
    hired_on: formatLocalDate(employment.hiredOn),
    left_on: leftOn === null ? null : formatLocalDate(leftOn),
    archived_on: archivedOn === null || archivedOn > today ? null : formatLocalDate(archivedOn),
    entitlements: entitlementsOf(firm, person),
  };
}

function customFields({ post, block }: Person): Record<string, string> {
  const position = block > 0 ? (post.furtherPosition ?? post.position) : post.position;
  const crew = post.agreement === 'site' ? { crew: `Kolonne ${(post.department === 'civil' ? 2 : 1) + 2 * block}` } : {};
  return { position, ...crew, ...(post.licence === undefined ? {} : { driving_licence: post.licence }) };
}

type Entitlement = EmployeeRecord['entitlements'][number];

/** Thirty days a year, reduced by law to the months worked (BUrlG §5), and five more for severely disabled employees (SGB IX §208). */
function entitlementsOf(firm: Firm, person: Person): readonly Entitlement[] {
  const common = { missing_type: 'vacation', cycle_start: '01-01', valid_from: formatLocalDate(person.employment.hiredOn), valid_to: null };
  const vacation: Entitlement = {
    id: idOf(firm, `entitlement/${person.key}/vacation`),
    label: 'Urlaub',
    amount: '30.00',
    priority: 1,
    ...common,
    expiry: { month_day: '03-31', year_offset: 1 },
    proration: 'burlg',
  };
  const extra: Entitlement = {
    id: idOf(firm, `entitlement/${person.key}/extra`),
    label: 'Zusatzurlaub',
    amount: '5.00',
    priority: 2,
    ...common,
    expiry: { months: 15 },
    proration: 'twelfths',
  };
  return person.post.trait === 'disabled' ? [vacation, extra] : [vacation];
}
