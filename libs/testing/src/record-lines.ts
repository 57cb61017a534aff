/** Lines of an import (docs/rules/records.md#the-import-contract); datetimes are local without designator, dates are calendar dates. */

interface RecordLine {
  readonly id: string;
  readonly institution_id: string;
}

interface OfEmployee extends RecordLine {
  readonly employee_id: string;
}

/** An absence type of an institution. */
export interface AbsenceTypeLine {
  readonly value: string;
  readonly label: string;
  readonly category: string;
  readonly credited: boolean;
}

/** A line of kind `institution`. */
export interface InstitutionLine extends RecordLine {
  readonly kind: 'institution';
  readonly name: string;
  readonly federal_state: string | null;
  readonly payroll_client_number: string | null;
  readonly absence_types: readonly AbsenceTypeLine[];
}

/** A line of kind `account`. */
export interface AccountLine extends RecordLine {
  readonly kind: 'account';
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string;
  readonly role: string;
  readonly department_ids: readonly string[];
  readonly project_ids: readonly string[] | null;
}

/** A line of kind `department`. */
export interface DepartmentLine extends RecordLine {
  readonly kind: 'department';
  readonly name: string;
  readonly cost_center: string | null;
}

/** A line of kind `employee`. */
export interface EmployeeLine extends RecordLine {
  readonly kind: 'employee';
  readonly account_id: string | null;
  readonly number: string;
  readonly accounting_number: string | null;
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string | null;
  readonly department_id: string | null;
  readonly custom_fields: Readonly<Record<string, unknown>>;
  readonly hired_on: string;
  readonly left_on: string | null;
  readonly archived_on: string | null;
  readonly entitlements: readonly object[];
}

/** A line of kind `contract`. */
export interface ContractLine extends OfEmployee {
  readonly kind: 'contract';
  readonly valid_from: string;
  readonly valid_to: string | null;
  /** Monday first. */
  readonly planned_minutes: readonly number[];
  readonly overtime_min_hours: number | null;
  readonly overtime_max_hours: number | null;
}

/** A line of kind `project`. */
export interface ProjectLine extends RecordLine {
  readonly kind: 'project';
  readonly name: string;
  readonly code: string;
  readonly color: string;
  readonly address: string;
  readonly cost_center: string;
  readonly client: string;
  readonly daily_reports_enabled: boolean;
  readonly archived: boolean;
}

/** A period of work or a break inside a workday. */
export interface TimespanLine {
  readonly id: string;
  readonly type: string;
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly project_id: string | null;
  readonly comment: string | null;
}

/** A line of kind `workday`. */
export interface WorkdayLine extends OfEmployee {
  readonly kind: 'workday';
  readonly date: string;
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly timespans: readonly TimespanLine[];
  readonly edits: readonly { readonly at: string; readonly by: string }[];
}

/** A line of kind `workmonth`. */
export interface WorkmonthLine extends OfEmployee {
  readonly kind: 'workmonth';
  readonly year: number;
  readonly month: number;
  readonly opening_balance_minutes: number;
}

/** A line of kind `absence`. */
export interface AbsenceLine extends OfEmployee {
  readonly kind: 'absence';
  readonly missing_type: string;
  readonly starts_on: string;
  readonly ends_on: string;
  readonly day_part: number;
  readonly hours_per_day: number | null;
}

/** A line of kind `absence_application`. */
export interface AbsenceApplicationLine extends OfEmployee {
  readonly kind: 'absence_application';
  readonly missing_type: string;
  readonly starts_on: string;
  readonly ends_on: string;
  readonly status: string;
  readonly created_at: string;
}

/** A line that removes a record. */
export interface DeletionLine extends RecordLine {
  readonly kind: string;
  readonly deleted: true;
}
