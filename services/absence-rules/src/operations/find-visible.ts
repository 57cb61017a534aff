import { AppError } from '@stechuhr/kernel';
import type { Rule } from '../domain/rule.js';
import type { Call, CallerRecords } from './ports.js';

/** Whether the employee exists and the caller may see it. */
export async function isVisible(records: CallerRecords, employeeId: string): Promise<boolean> {
  for await (const staff of records.readStaff([employeeId])) if (staff.some(({ id }) => id === employeeId)) return true;
  return false;
}

/**
 * A manual rule of an employee whom the caller may see. Setting-generated rules are not addressable (spec, Absence rules).
 *
 * @throws AppError `not_found`
 */
export async function findVisibleRule({ rules, records, caller }: Call, id: string): Promise<Rule> {
  const [rule] = await rules.find(caller, [id]);
  if (rule === undefined || !(await isVisible(records, rule.employeeId))) throw noSuchRule();
  return rule;
}

export function noSuchRule(): AppError {
  return new AppError('not_found', 'Not found.');
}
