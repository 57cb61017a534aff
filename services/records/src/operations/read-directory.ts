import { AppError } from '@stechuhr/kernel';
import type { Caller } from '../domain/caller.js';
import type { Account, Employee, Institution } from '../domain/directory.js';
import { compareEmployees } from '../domain/employee-order.js';
import type { Directory } from './ports.js';

interface Ports {
  readonly directory: Directory;
}

/** @throws AppError `not_found` */
export async function getAccount({ directory }: Ports, accountId: string): Promise<Account> {
  const account = await directory.account(accountId.toLowerCase());
  if (account === undefined) throw new AppError('not_found', 'There is no such account.');
  return account;
}

/** The institution of the caller. @throws AppError `not_found` */
export async function getInstitution({ directory }: Ports, caller: Caller): Promise<Institution> {
  const institution = await directory.institution(caller);
  if (institution === undefined) throw new AppError('not_found', 'There is no such institution.');
  return institution;
}

/** All employees that the caller may see. They are sorted here, because databases compare names each in their own way. */
export async function listEmployees({ directory }: Ports, caller: Caller): Promise<Employee[]> {
  const employees: Employee[] = [];
  for await (const employee of directory.employees(caller)) employees.push(employee);
  return employees.sort(compareEmployees);
}
