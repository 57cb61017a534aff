import type { MongoDb } from '@stechuhr/mongo';
import type { mongo } from 'mongoose';
import type { Caller } from '../../domain/caller.js';
import { documentsOf } from '../collections.js';
import { visibleEmployees } from '../directory.js';
import { PRESENT } from '../record-store.js';
import type { Stored } from './source.js';

/**
 * Returns the part of a filter that selects records by employee: of employees that the caller may see and, if some are named, only of
 * these.
 */
export async function employeeScope(
  database: MongoDb,
  caller: Caller,
  employeeIds: readonly string[] | undefined,
): Promise<mongo.Document> {
  const visible = caller.departmentIds === null ? employeeIds : await visibleOf(database, caller, employeeIds);
  return { institution_id: caller.institutionId, ...(visible && { employee_id: { $in: [...visible] } }) };
}

async function visibleOf(database: MongoDb, caller: Caller, employeeIds: readonly string[] | undefined): Promise<string[]> {
  const named = employeeIds && new Set(employeeIds);
  const found = await documentsOf<Stored>(database, 'employee')
    .find({ ...visibleEmployees(caller), ...PRESENT }, { projection: { _id: 1 } })
    .toArray();
  return found.map(({ _id }) => _id).filter((id) => named?.has(id) ?? true);
}
