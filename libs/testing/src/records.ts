import { newId } from '@stechuhr/kernel';
import type {
  AbsenceApplicationLine,
  AbsenceLine,
  AccountLine,
  ContractLine,
  DeletionLine,
  DepartmentLine,
  EmployeeLine,
  InstitutionLine,
  ProjectLine,
  TimespanLine,
  WorkdayLine,
  WorkmonthLine,
} from './record-lines.js';

/** The fields that a test sets: ids that connect records, and whatever the test needs. For invalid types, spread the line. */
type Given<T, Needed extends keyof T> = Pick<T, Needed> & Partial<T>;

/** Builds an institution in Bavaria with one absence type of each category. */
export function buildInstitution(given: Partial<InstitutionLine> = {}): InstitutionLine {
  const id = given.id ?? newId();
  return {
    kind: 'institution',
    id,
    institution_id: id,
    name: 'Muster GmbH',
    federal_state: 'DE-BY',
    payroll_client_number: '12345',
    absence_types: [
      { value: 'vacation', label: 'Urlaub', category: 'vacation', credited: true },
      { value: 'sick', label: 'Krankheit', category: 'sick', credited: true },
      { value: 'school', label: 'Berufsschule', category: 'education', credited: true },
      { value: 'unpaid', label: 'Unbezahlt', category: 'other', credited: false },
    ],
    ...given,
  };
}

/** Builds an administrator, who sees everything. */
export function buildAccount(given: Given<AccountLine, 'institution_id'>): AccountLine {
  const id = newId();
  const person = { first_name: 'Ada', last_name: 'Muster', email: `${id}@example.com` };
  return { kind: 'account', id, ...person, role: 'admin', department_ids: [], project_ids: null, ...given };
}

/** Builds a department with a cost center. */
export function buildDepartment(given: Given<DepartmentLine, 'institution_id'>): DepartmentLine {
  return { kind: 'department', id: newId(), name: 'Montage', cost_center: '4711', ...given };
}

/** Builds an employee who was hired on 2020-01-01 and is still employed, without account or department. */
export function buildEmployee(given: Given<EmployeeLine, 'institution_id'>): EmployeeLine {
  return {
    kind: 'employee',
    id: newId(),
    account_id: null,
    number: '1001',
    accounting_number: null,
    first_name: 'Max',
    last_name: 'Beispiel',
    email: null,
    department_id: null,
    custom_fields: {},
    hired_on: '2020-01-01',
    left_on: null,
    archived_on: null,
    entitlements: [],
    ...given,
  };
}

/** Builds a contract of eight hours a day, Monday to Friday, since 2020-01-01. */
export function buildContract(given: Given<ContractLine, 'institution_id' | 'employee_id'>): ContractLine {
  const validity = { valid_from: '2020-01-01', valid_to: null };
  const hours = { planned_minutes: [480, 480, 480, 480, 480, 0, 0], overtime_min_hours: null, overtime_max_hours: null };
  return { kind: 'contract', id: newId(), ...validity, ...hours, ...given };
}

/** Builds a project with daily reports. */
export function buildProject(given: Given<ProjectLine, 'institution_id'>): ProjectLine {
  return {
    kind: 'project',
    id: newId(),
    name: 'Neubau Musterstraße',
    code: 'P-1',
    color: '#336699',
    address: 'Musterstraße 1, 80331 München',
    cost_center: '4711',
    client: 'Bauherr AG',
    daily_reports_enabled: true,
    archived: false,
    ...given,
  };
}

/** Builds a workday from 08:00 to 16:30 with a break of half an hour at noon; on 2026-03-02, a Monday, by default. */
export function buildWorkday(given: Given<WorkdayLine, 'institution_id' | 'employee_id'>): WorkdayLine {
  const date = given.date ?? '2026-03-02';
  return {
    kind: 'workday',
    id: newId(),
    date,
    started_at: `${date}T08:00:00`,
    ended_at: `${date}T16:30:00`,
    timespans: [
      buildTimespan({ started_at: `${date}T08:00:00`, ended_at: `${date}T12:00:00` }),
      buildTimespan({ type: 'break', started_at: `${date}T12:00:00`, ended_at: `${date}T12:30:00` }),
      buildTimespan({ started_at: `${date}T12:30:00`, ended_at: `${date}T16:30:00` }),
    ],
    edits: [],
    ...given,
  };
}

/** Builds a period of work inside a workday. */
export function buildTimespan(given: Given<TimespanLine, 'started_at' | 'ended_at'>): TimespanLine {
  return { id: newId(), type: 'work', project_id: null, comment: null, ...given };
}

/** Builds March 2026 with an opening balance of 0. */
export function buildWorkmonth(given: Given<WorkmonthLine, 'institution_id' | 'employee_id'>): WorkmonthLine {
  return { kind: 'workmonth', id: newId(), year: 2026, month: 3, opening_balance_minutes: 0, ...given };
}

/** Builds a week of vacation in March 2026. */
export function buildAbsence(given: Given<AbsenceLine, 'institution_id' | 'employee_id'>): AbsenceLine {
  const dates = { starts_on: '2026-03-09', ends_on: '2026-03-13' };
  return { kind: 'absence', id: newId(), missing_type: 'vacation', ...dates, day_part: 1, hours_per_day: null, ...given };
}

/** Builds a pending application for a week of vacation. */
export function buildAbsenceApplication(given: Given<AbsenceApplicationLine, 'institution_id' | 'employee_id'>): AbsenceApplicationLine {
  const dates = { starts_on: '2026-03-09', ends_on: '2026-03-13' };
  const state = { status: 'pending', created_at: '2026-02-01T09:00:00' };
  return { kind: 'absence_application', id: newId(), missing_type: 'vacation', ...dates, ...state, ...given };
}

/** Builds the line that deletes a record. */
export function buildDeletion({ kind, institution_id, id }: Omit<DeletionLine, 'deleted'>): DeletionLine {
  return { kind, institution_id, id, deleted: true };
}

/** Converts records to an import file. */
export function toNdjson(records: readonly object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}
