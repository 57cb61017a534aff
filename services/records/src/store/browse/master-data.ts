import type { MongoDb } from '@stechuhr/mongo';
import type { BrowsedRecords } from '../../domain/browse.js';
import type { Caller } from '../../domain/caller.js';
import {
  toAccount,
  toDepartment,
  toEmployee,
  toEntitledEmployee,
  toInstitution,
  toProject,
  type AccountDocument,
  type DepartmentDocument,
  type EmployeeDocument,
  type EntitledDocument,
  type InstitutionDocument,
  type ProjectDocument,
} from '../directory-documents.js';
import { visibleEmployees, visibleProjects } from '../directory.js';
import { sortedPages } from './sorted-pages.js';
import type { Source, Stored } from './source.js';

type MasterData = 'employees' | 'groups' | 'projects' | 'institutions' | 'managers';

export function masterData(database: MongoDb): { readonly [G in MasterData]: Source<BrowsedRecords[G]> } {
  return {
    employees: sortedPages<Stored & EmployeeDocument & EntitledDocument, BrowsedRecords['employees']>(database, {
      kind: 'employee',
      visible: visibleEmployees,
      order: ['last_name', 'first_name', 'number'],
      searched: ({ first_name, last_name, number, accounting_number, email }) => [
        `${first_name} ${last_name}`,
        `${last_name} ${first_name}`,
        number,
        accounting_number,
        email,
      ],
      searchedFields: ['first_name', 'last_name', 'number', 'accounting_number', 'email'],
      isArchived: ({ archived_on }) => archived_on !== null,
      archivedField: 'archived_on',
      convert: (document) => ({ ...toEmployee(document), ...toEntitledEmployee(document) }),
      brief: BRIEF_EMPLOYEE,
    }),
    groups: sortedPages<Stored & DepartmentDocument, BrowsedRecords['groups']>(database, {
      kind: 'department',
      visible: ({ institutionId, departmentIds }) => ({ institution_id: institutionId, ...oneOf(departmentIds) }),
      order: ['name'],
      searched: ({ name, cost_center }) => [name, cost_center],
      searchedFields: ['name', 'cost_center'],
      convert: toDepartment,
    }),
    projects: sortedPages<Stored & ProjectDocument, BrowsedRecords['projects']>(database, {
      kind: 'project',
      visible: visibleProjects,
      order: ['name'],
      searched: ({ name, code, client, address, cost_center }) => [name, code, client, address, cost_center],
      searchedFields: ['name', 'code', 'client', 'address', 'cost_center'],
      isArchived: ({ archived }) => archived,
      archivedField: 'archived',
      convert: toProject,
    }),
    institutions: sortedPages<Stored & InstitutionDocument, BrowsedRecords['institutions']>(database, {
      kind: 'institution',
      visible: ({ institutionId }) => ({ _id: institutionId }),
      order: ['name'],
      convert: toInstitution,
    }),
    managers: sortedPages<Stored & ManagerDocument, BrowsedRecords['managers']>(database, {
      kind: 'account',
      visible: visibleAccounts,
      order: ['last_name', 'first_name', 'email'],
      searched: ({ first_name, last_name, email }) => [`${first_name} ${last_name}`, `${last_name} ${first_name}`, email],
      searchedFields: ['first_name', 'last_name', 'email'],
      convert: (document) => ({ ...toAccount(document), email: document.email }),
      brief: BRIEF_ACCOUNT,
    }),
  };
}

function included(...fields: readonly string[]): Record<string, 1> {
  return Object.fromEntries(fields.map((field) => [field, 1]));
}

const BRIEF_EMPLOYEE = {
  projection: {
    ...included('account_id', 'number', 'accounting_number', 'first_name', 'last_name', 'email', 'department_id'),
    ...included('hired_on', 'left_on', 'archived_on', 'recorded_at', 'modified_at'),
    custom_fields: { $elemMatch: { name: 'position' } },
  },
  empty: { entitlements: [] },
};

const BRIEF_ACCOUNT = {
  projection: included('first_name', 'last_name', 'email', 'role', 'recorded_at', 'modified_at'),
  empty: { department_ids: [], project_ids: [] },
};

interface ManagerDocument extends AccountDocument {
  readonly email: string;
}

/** Department leaders see only their own account. */
function visibleAccounts({ institutionId, accountId, departmentIds }: Caller) {
  return { institution_id: institutionId, ...oneOf(departmentIds === null ? null : [accountId]) };
}

function oneOf(ids: readonly string[] | null) {
  return ids === null ? {} : { _id: { $in: [...ids] } };
}
