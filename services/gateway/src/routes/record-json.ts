import { commonV1, recordsV1, type browseV1 } from '@stechuhr/contracts';
import { formatLocalDate } from '@stechuhr/worktime';
import { employeeJson } from './employee-json.js';
import { absenceJson, applicationJson, timespanJson, workdayJson, workmonthJson } from './tracked-time-json.js';
import { date, present, wordFor } from './wire-values.js';

const { AbsenceCategory } = recordsV1;
const { Role } = commonV1;

type Wire = NonNullable<browseV1.BrowsedRecord['record']>;
type Values = { readonly [C in Wire['$case']]: Extract<Wire, { readonly $case: C }>['value'] };
type OneOf<C extends keyof Values> = { readonly [K in C]: { readonly $case: K; readonly value: Values[K] } }[C];

/** Each with the fields of the data contract (docs/rules/records.md#the-import-contract), in their order. */
const writers: { readonly [C in keyof Values]: (value: Values[C]) => object } = {
  employee: employeeJson,
  department: ({ id, name, costCenter }) => ({ id, name, cost_center: costCenter ?? null }),
  project: projectJson,
  contract: contractJson,
  workday: workdayJson,
  workmonth: workmonthJson,
  timespan: timespanJson,
  absence: absenceJson,
  application: applicationJson,
  institution: institutionJson,
  manager: managerJson,
};

export function recordJson(message: browseV1.BrowsedRecord | undefined): object {
  return jsonOf(present(message?.record, 'record'));
}

function jsonOf<C extends keyof Values>({ $case, value }: OneOf<C>): object {
  return writers[$case](value);
}

function projectJson(project: recordsV1.Project): object {
  return {
    id: project.id,
    name: project.name,
    code: project.code,
    color: project.color,
    address: project.address,
    cost_center: project.costCenter,
    client: project.client,
    daily_reports_enabled: project.dailyReportsEnabled,
    archived: project.archived,
  };
}

function contractJson({ employeeId, contract }: browseV1.BrowsedContract): object {
  const { id, validFrom, validTo, plannedMinutes, overtimeMinHours, overtimeMaxHours } = present(contract, 'contract');
  return {
    id,
    employee_id: employeeId,
    valid_from: formatLocalDate(validFrom),
    valid_to: date(validTo),
    planned_minutes: plannedMinutes,
    overtime_min_hours: overtimeMinHours ?? null,
    overtime_max_hours: overtimeMaxHours ?? null,
  };
}

const categories = {
  [AbsenceCategory.ABSENCE_CATEGORY_VACATION]: 'vacation',
  [AbsenceCategory.ABSENCE_CATEGORY_SICK]: 'sick',
  [AbsenceCategory.ABSENCE_CATEGORY_EDUCATION]: 'education',
  [AbsenceCategory.ABSENCE_CATEGORY_OTHER]: 'other',
};

function institutionJson({ id, name, federalState, payrollClientNumber, absenceTypes }: recordsV1.Institution): object {
  return {
    id,
    name,
    federal_state: federalState ?? null,
    payroll_client_number: payrollClientNumber ?? null,
    absence_types: absenceTypes.map(({ value, label, category, credited }) => ({
      value,
      label,
      category: wordFor(categories, category),
      credited,
    })),
  };
}

const roles = {
  [Role.ROLE_ADMIN]: 'admin',
  [Role.ROLE_MANAGER]: 'manager',
  [Role.ROLE_DEPARTMENT_LEADER]: 'department_leader',
};

function managerJson({ account, email }: browseV1.Manager): object {
  const { id, firstName, lastName, visibility } = present(account, 'account');
  const { role, departmentIds, projects } = present(visibility, 'visibility');
  return {
    id,
    first_name: firstName,
    last_name: lastName,
    email,
    role: wordFor(roles, role),
    department_ids: departmentIds,
    project_ids: projects?.projectIds ?? null,
  };
}
