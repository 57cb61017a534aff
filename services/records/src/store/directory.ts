import type { MongoDb } from '@stechuhr/mongo';
import type { mongo } from 'mongoose';
import type { Caller } from '../domain/caller.js';
import type { DocumentKind } from '../domain/stored-record.js';
import type { Directory } from '../operations/ports.js';
import { documentsOf } from './collections.js';
import {
  toAccount,
  toDepartment,
  toEmployee,
  toEntitledEmployee,
  toInstitution,
  toOrderedEmployee,
  toProject,
} from './directory-documents.js';
import type {
  AccountDocument,
  DepartmentDocument,
  EmployeeDocument,
  EntitledDocument,
  InstitutionDocument,
  OrderedDocument,
  ProjectDocument,
} from './directory-documents.js';
import { PRESENT } from './record-store.js';

const INTERNAL = { outbox: 0, version: 0, sequence: 0 };

export function createDirectory(database: MongoDb): Directory {
  const findOne = <T extends { _id: string }>(kind: DocumentKind, id: string) =>
    documentsOf<mongo.Document & { _id: string }>(database, kind).findOne<T>({ _id: id, ...PRESENT }, { projection: INTERNAL });
  const find = <T extends { _id: string }>(kind: DocumentKind, filter: mongo.Document) =>
    documentsOf<mongo.Document & { _id: string }>(database, kind).find<T>({ ...filter, ...PRESENT }, { projection: INTERNAL });
  return {
    async accountsOfId(accountId, institutionId) {
      const where = institutionId === undefined ? {} : { institution_id: institutionId };
      return (await find<AccountDocument>('account', { _id: accountId, ...where }).toArray()).map(toAccount);
    },
    accounts: (institutionId) =>
      find<AccountDocument>('account', institutionId === undefined ? {} : { institution_id: institutionId }).map((document) => ({
        account: toAccount(document),
        email: document.email,
      })),
    async institutionNames(ids) {
      const found = await find<InstitutionDocument>('institution', { _id: { $in: [...ids] } }).toArray();
      return new Map(found.map(({ _id, name }) => [_id, name]));
    },
    async institution({ institutionId }) {
      const found = await findOne<InstitutionDocument>('institution', institutionId);
      return found === null ? undefined : toInstitution(found);
    },
    departments: ({ institutionId }) =>
      find<DepartmentDocument>('department', { institution_id: institutionId }).sort({ _id: 1 }).map(toDepartment),
    projects: (caller) => find<ProjectDocument>('project', visibleProjects(caller)).sort({ _id: 1 }).map(toProject),
    staff: (caller) =>
      find<EmployeeDocument>('employee', visibleEmployees(caller))
        .project<OrderedDocument>({ last_name: 1, first_name: 1, number: 1 })
        .map(toOrderedEmployee),
    async employees(caller, employeeIds, customFields) {
      const isNeeded = customFields === undefined || customFields.size > 0;
      const found = await find<EmployeeDocument>('employee', { ...visibleEmployees(caller), _id: { $in: [...employeeIds] } })
        .project<EmployeeDocument>({ ...INTERNAL, entitlements: 0, ...(!isNeeded && { custom_fields: 0 }) })
        .toArray();
      return found.map((document) => toEmployee(document, customFields));
    },
    entitlements: (caller, employeeIds) =>
      find<EntitledDocument>('employee', { ...visibleEmployees(caller), ...(employeeIds && { _id: { $in: [...employeeIds] } }) })
        .project<EntitledDocument & { readonly version: number }>({ hired_on: 1, left_on: 1, archived_on: 1, entitlements: 1, version: 1 })
        .map((document) => ({ ...toEntitledEmployee(document), version: document.version })),
  };
}

/** Returns the filter for the employees that the caller may see. */
export function visibleEmployees({ institutionId, departmentIds }: Caller): mongo.Document {
  return { institution_id: institutionId, ...(departmentIds && { department_id: { $in: [...departmentIds] } }) };
}

/** Returns the filter for the projects that the caller may see. */
export function visibleProjects({ institutionId, projectIds }: Caller): mongo.Document {
  return { institution_id: institutionId, ...(projectIds && { _id: { $in: [...projectIds] } }) };
}
