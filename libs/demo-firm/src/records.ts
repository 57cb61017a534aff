/**
 * The records of an import as the demo writes them (docs/rules/records.md#the-import-contract). Dates are `YYYY-MM-DD`, datetimes local
 * without designator.
 */
interface Common<K extends string> {
  readonly kind: K;
  readonly institution_id: string;
  readonly id: string;
}

export interface InstitutionRecord extends Common<'institution'> {
  readonly name: string;
  readonly federal_state: string;
  readonly payroll_client_number: string;
  readonly absence_types: readonly {
    readonly value: string;
    readonly label: string;
    readonly category: 'vacation' | 'sick' | 'education' | 'other';
    readonly credited: boolean;
  }[];
}

export interface AccountRecord extends Common<'account'> {
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string;
  readonly role: 'admin' | 'manager' | 'department_leader';
  readonly department_ids: readonly string[];
  readonly project_ids: readonly string[] | null;
}

export interface DepartmentRecord extends Common<'department'> {
  readonly name: string;
  readonly cost_center: string | null;
}

/** A setting from which absence rules are derived (docs/rules/absence-rules.md#entitlements). */
interface EntitlementSetting {
  readonly id: string;
  readonly label: string;
  readonly missing_type: string;
  readonly amount: string;
  readonly priority: number;
  readonly cycle_start: string;
  readonly valid_from: string;
  readonly valid_to: string | null;
  readonly expiry: { readonly months: number } | { readonly month_day: string; readonly year_offset: number } | null;
  readonly proration: 'none' | 'twelfths' | 'burlg';
}

export interface EmployeeRecord extends Common<'employee'> {
  readonly account_id: string | null;
  readonly number: string;
  readonly accounting_number: string | null;
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string | null;
  readonly department_id: string | null;
  readonly custom_fields: Readonly<Record<string, string>>;
  readonly hired_on: string;
  readonly left_on: string | null;
  readonly archived_on: string | null;
  readonly entitlements: readonly EntitlementSetting[];
}

export interface ContractRecord extends Common<'contract'> {
  readonly employee_id: string;
  readonly valid_from: string;
  readonly valid_to: string | null;
  readonly planned_minutes: readonly number[];
  readonly overtime_min_hours: number | null;
  readonly overtime_max_hours: number | null;
}

export interface ProjectRecord extends Common<'project'> {
  readonly name: string;
  readonly code: string;
  readonly color: string;
  readonly address: string;
  readonly cost_center: string;
  readonly client: string;
  readonly daily_reports_enabled: boolean;
  readonly archived: boolean;
}

export interface TimespanRecord {
  readonly id: string;
  readonly type: 'work' | 'break';
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly project_id: string | null;
  readonly comment: string | null;
}

export interface EditRecord {
  readonly at: string;
  readonly by: 'employee' | 'manager' | 'system';
}

export interface WorkdayRecord extends Common<'workday'> {
  readonly employee_id: string;
  readonly date: string;
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly timespans: readonly TimespanRecord[];
  readonly edits: readonly EditRecord[];
}

export interface WorkmonthRecord extends Common<'workmonth'> {
  readonly employee_id: string;
  readonly year: number;
  readonly month: number;
  readonly opening_balance_minutes: number;
}

export interface AbsenceRecord extends Common<'absence'> {
  readonly employee_id: string;
  readonly missing_type: string;
  readonly starts_on: string;
  readonly ends_on: string;
  readonly day_part: 1 | 0.5;
  readonly hours_per_day: number | null;
}

export interface AbsenceApplicationRecord extends Common<'absence_application'> {
  readonly employee_id: string;
  readonly missing_type: string;
  readonly starts_on: string;
  readonly ends_on: string;
  readonly status: 'pending' | 'approved' | 'declined';
  readonly created_at: string;
}

interface FormField {
  readonly id: string;
  readonly type: string;
  readonly label: string;
  readonly config?: Readonly<Record<string, unknown>>;
}

export interface ReportFormRecord extends Common<'daily_report_form'> {
  readonly valid_from: string;
  readonly fields: readonly FormField[];
}

/** The common fields of entries of all types, in addition to the fields of the value. */
export interface ReportEntryRecord extends Common<'daily_report_entry'> {
  readonly date: string;
  readonly tag_id: string;
  readonly field_id: string;
  readonly author_id: string;
  readonly on_behalf_of_id: string | null;
  readonly burned: boolean;
  readonly submitted_at: string;
  readonly created_at: string;
  readonly modified_at: string;
}

export interface ReportStatusRecord extends Common<'daily_report_status'> {
  readonly tag_id: string;
  readonly date: string;
  readonly status: 'draft' | 'submitted' | 'closed' | 'archived';
  readonly actor_id: string;
  readonly at: string;
  readonly reason: string | null;
}

/** One line of the demo's NDJSON. */
export type DemoRecord =
  | InstitutionRecord
  | AccountRecord
  | DepartmentRecord
  | EmployeeRecord
  | ContractRecord
  | ProjectRecord
  | WorkdayRecord
  | WorkmonthRecord
  | AbsenceRecord
  | AbsenceApplicationRecord
  | ReportFormRecord
  | ReportEntryRecord
  | ReportStatusRecord;
