import type { AbsenceType, EpochDay } from '@stechuhr/worktime';
import type { Account, Department, Employee, EntitledEmployee, Institution, Project, Role } from '../domain/directory.js';
import type { OrderedEmployee } from '../domain/employee-order.js';
import type { Entitlement } from '../domain/kinds/entitlement.js';

/** The stored fields that other services read. */
export interface AccountDocument {
  readonly _id: string;
  readonly institution_id: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string;
  readonly role: Role;
  readonly department_ids: string[];
  readonly project_ids: string[] | null;
}

export function toAccount(document: AccountDocument): Account {
  return {
    id: document._id,
    institutionId: document.institution_id,
    firstName: document.first_name,
    lastName: document.last_name,
    role: document.role,
    departmentIds: document.department_ids,
    projectIds: document.project_ids ?? undefined,
  };
}

export interface InstitutionDocument {
  readonly _id: string;
  readonly name: string;
  readonly federal_state: string | null;
  readonly payroll_client_number: string | null;
  readonly absence_types: readonly AbsenceType[];
}

export function toInstitution(document: InstitutionDocument): Institution {
  return {
    id: document._id,
    name: document.name,
    federalState: document.federal_state ?? undefined,
    payrollClientNumber: document.payroll_client_number ?? undefined,
    absenceTypes: document.absence_types,
  };
}

export interface DepartmentDocument {
  readonly _id: string;
  readonly name: string;
  readonly cost_center: string | null;
}

export function toDepartment({ _id, name, cost_center }: DepartmentDocument): Department {
  return { id: _id, name, costCenter: cost_center ?? undefined };
}

export interface ProjectDocument {
  readonly _id: string;
  readonly name: string;
  readonly code: string;
  readonly color: string;
  readonly address: string;
  readonly cost_center: string;
  readonly client: string;
  readonly daily_reports_enabled: boolean;
  readonly archived: boolean;
}

export function toProject({ _id, name, code, color, address, client, archived, ...rest }: ProjectDocument): Project {
  const { cost_center: costCenter, daily_reports_enabled: dailyReportsEnabled } = rest;
  return { id: _id, name, code, color, address, costCenter, client, dailyReportsEnabled, archived };
}

export interface EmployeeDocument {
  readonly _id: string;
  readonly account_id: string | null;
  readonly number: string;
  readonly accounting_number: string | null;
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string | null;
  readonly department_id: string | null;
  /** Absent if they were not read. */
  readonly custom_fields?: readonly { readonly name: string; readonly value: string }[];
  readonly hired_on: EpochDay;
  readonly left_on: EpochDay | null;
  readonly archived_on: EpochDay | null;
}

/** @param customFields the names of the custom fields to keep, with composed letters (NFC); all by default */
export function toEmployee(document: EmployeeDocument, customFields?: ReadonlySet<string>): Employee {
  const { custom_fields: stored = [] } = document;
  // Names that earlier versions stored may have decomposed letters.
  const named = stored.map(({ name, value }) => [name.normalize('NFC'), value] as const);
  const kept = customFields === undefined ? named : named.filter(([name]) => customFields.has(name));
  return {
    id: document._id,
    accountId: document.account_id ?? undefined,
    number: document.number,
    accountingNumber: document.accounting_number ?? undefined,
    firstName: document.first_name,
    lastName: document.last_name,
    email: document.email ?? undefined,
    departmentId: document.department_id ?? undefined,
    customFields: Object.fromEntries(kept),
    hiredOn: document.hired_on,
    leftOn: document.left_on ?? undefined,
    archivedOn: document.archived_on ?? undefined,
  };
}

export type OrderedDocument = Pick<EmployeeDocument, '_id' | 'last_name' | 'first_name' | 'number'>;

export function toOrderedEmployee({ _id, last_name, first_name, number }: OrderedDocument): OrderedEmployee {
  return { id: _id, lastName: last_name, firstName: first_name, number };
}

export interface EntitledDocument extends Pick<EmployeeDocument, '_id' | 'hired_on' | 'left_on' | 'archived_on'> {
  readonly entitlements: readonly Entitlement[];
}

export function toEntitledEmployee({ _id, hired_on, left_on, archived_on, entitlements }: EntitledDocument): EntitledEmployee {
  return { id: _id, hiredOn: hired_on, leftOn: left_on ?? undefined, archivedOn: archived_on ?? undefined, entitlements };
}
