import { recordsV1, type browseV1 } from '@stechuhr/contracts';
import type { BrowsedRecords, BrowsedWorkday, DayTimespan, GroupName } from '../domain/browse.js';
import { accountToProto } from './get-account.js';
import { institutionToProto } from './get-institution.js';
import { entitlementToProto } from './list-entitlements.js';

const { ApplicationStatus, Editor, TimespanType } = recordsV1;

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

export function browsedToProto<G extends GroupName>(group: G, record: BrowsedRecords[G]): browseV1.BrowsedRecord {
  return { record: encoders[group](record) };
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
