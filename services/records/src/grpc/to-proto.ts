import { recordsV1, roles, type browseV1 } from '@stechuhr/contracts';
import type { AbsenceCategory as CategoryName } from '@stechuhr/worktime';
import type { Browsed, BrowsedRecords, BrowsedWorkday, DayTimespan, GroupName } from '../domain/browse.js';
import type { Account, Institution, ListedAccount, VersionedEmployee } from '../domain/directory.js';
import type { Entitlement } from '../domain/kinds/entitlement.js';

const { AbsenceCategory, ApplicationStatus, Editor, Proration, TimespanType } = recordsV1;

export function accountToProto({ id, institutionId, firstName, lastName, role, departmentIds, projectIds }: Account): recordsV1.Account {
  const visibility = { role: roles[role], departmentIds, projects: projectIds && { projectIds } };
  return { id, institutionId, firstName, lastName, visibility };
}

export function listedAccountToProto({ account, email, institutionName = '' }: ListedAccount): recordsV1.ListedAccount {
  return { account: accountToProto(account), email, institutionName };
}

const categories: Readonly<Record<CategoryName, recordsV1.AbsenceCategory>> = {
  vacation: AbsenceCategory.ABSENCE_CATEGORY_VACATION,
  sick: AbsenceCategory.ABSENCE_CATEGORY_SICK,
  education: AbsenceCategory.ABSENCE_CATEGORY_EDUCATION,
  other: AbsenceCategory.ABSENCE_CATEGORY_OTHER,
};

export function institutionToProto({ absenceTypes, ...institution }: Institution): recordsV1.Institution {
  return { ...institution, absenceTypes: absenceTypes.map((type) => ({ ...type, category: categories[type.category] })) };
}

const prorations: Readonly<Record<Entitlement['proration'], recordsV1.Proration>> = {
  none: Proration.PRORATION_NONE,
  twelfths: Proration.PRORATION_TWELFTHS,
  burlg: Proration.PRORATION_BURLG,
};

export function entitledEmployeeToProto({ entitlements, ...employee }: VersionedEmployee): recordsV1.EntitledEmployee {
  return { ...employee, entitlements: entitlements.map(entitlementToProto) };
}

function entitlementToProto(setting: Entitlement): recordsV1.Entitlement {
  return {
    id: setting.id,
    label: setting.label,
    missingType: setting.missing_type,
    amountHundredths: setting.amount,
    priority: setting.priority,
    cycleStart: monthDayToProto(setting.cycle_start),
    validFrom: setting.valid_from,
    validTo: setting.valid_to ?? undefined,
    expiry: expiryToProto(setting.expiry),
    proration: prorations[setting.proration],
  };
}

function expiryToProto(expiry: Entitlement['expiry']): recordsV1.Entitlement['expiry'] {
  if (expiry === null) return undefined;
  if ('months' in expiry) return { $case: 'expiryMonths', value: expiry.months };
  return { $case: 'expiryDate', value: { monthDay: monthDayToProto(expiry.month_day), yearOffset: expiry.year_offset } };
}

/** @param text `MM-DD` */
function monthDayToProto(text: string): recordsV1.MonthDay {
  return { month: Number(text.slice(0, 2)), day: Number(text.slice(3)) };
}

type Encoded = NonNullable<browseV1.BrowsedRecord['record']>;

const encoders: { readonly [G in GroupName]: (record: BrowsedRecords[G]) => Encoded } = {
  employees: ({ entitlements, ...employee }) => ({
    $case: 'employee',
    value: { employee, entitlements: entitlements.map(entitlementToProto) },
  }),
  groups: (value) => ({ $case: 'department', value }),
  projects: (value) => ({ $case: 'project', value }),
  contracts: ({ employeeId, ...contract }) => ({ $case: 'contract', value: { employeeId, contract } }),
  workdays: ({ employeeId, ...workday }) => ({ $case: 'workday', value: { employeeId, workday: workdayToProto(workday) } }),
  workmonths: ({ employeeId, ...workmonth }) => ({ $case: 'workmonth', value: { employeeId, workmonth: { ...workmonth, workdays: [] } } }),
  timespans: ({ employeeId, workdayId, date, ...timespan }) => ({
    $case: 'timespan',
    value: { employeeId, workdayId, date, timespan: timespanToProto(timespan) },
  }),
  absences: ({ employeeId, ...absence }) => ({ $case: 'absence', value: { employeeId, absence } }),
  'absence-applications': ({ employeeId, status, ...application }) => ({
    $case: 'application',
    value: { employeeId, application: { ...application, status: statuses[status] } },
  }),
  institutions: (institution) => ({ $case: 'institution', value: institutionToProto(institution) }),
  managers: ({ email, ...account }) => ({ $case: 'manager', value: { account: accountToProto(account), email } }),
};

export function browsedToProto<G extends GroupName>(group: G, browsed: Browsed<BrowsedRecords[G]>): browseV1.BrowsedRecord {
  const { record, createdAt, modifiedAt } = browsed;
  return { record: encoders[group](record), createdAt, modifiedAt };
}

const statuses = {
  pending: ApplicationStatus.APPLICATION_STATUS_PENDING,
  approved: ApplicationStatus.APPLICATION_STATUS_APPROVED,
  declined: ApplicationStatus.APPLICATION_STATUS_DECLINED,
} as const;

const editors = {
  employee: Editor.EDITOR_EMPLOYEE,
  manager: Editor.EDITOR_MANAGER,
  system: Editor.EDITOR_SYSTEM,
} as const;

function workdayToProto({ timespans, edits, ...workday }: Omit<BrowsedWorkday, 'employeeId'>): recordsV1.Workday {
  return { ...workday, timespans: timespans.map(timespanToProto), edits: edits.map(({ at, by }) => ({ at, by: editors[by] })) };
}

function timespanToProto({ type, ...timespan }: DayTimespan): recordsV1.Timespan {
  return { ...timespan, type: type === 'work' ? TimespanType.TIMESPAN_TYPE_WORK : TimespanType.TIMESPAN_TYPE_BREAK };
}
