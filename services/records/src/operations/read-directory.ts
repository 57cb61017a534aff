import { AppError } from '@stechuhr/kernel';
import type { Caller } from '../domain/caller.js';
import type { Account, Employee, Institution, ListedAccount } from '../domain/directory.js';
import { compareEmployees, type OrderedEmployee } from '../domain/employee-order.js';
import type { Directory } from './ports.js';
import { readAhead } from './read-ahead.js';

interface Ports {
  readonly directory: Directory;
}

/** @throws AppError `not_found`; `invalid` if several institutions have the account and none is named */
export async function getAccount({ directory }: Ports, accountId: string, institutionId: string | undefined): Promise<Account> {
  const [account, ...others] = await directory.accountsOfId(accountId.toLowerCase(), institutionId?.toLowerCase());
  if (account !== undefined && others.length > 0) {
    const ids = [account, ...others].map((one) => one.institutionId).sort();
    throw AppError.invalid({ institution_id: [`Several institutions have this account: ${ids.join(', ')}. Name one of them.`] });
  }
  if (account === undefined) throw new AppError('not_found', 'There is no such account.');
  return account;
}

/** Lists accounts for operators, sorted by institution, then by name. */
export async function listAccounts({ directory }: Ports, institutionId: string | undefined): Promise<ListedAccount[]> {
  const accounts = [];
  for await (const account of directory.accounts(institutionId)) accounts.push(account);
  const names = await directory.institutionNames([...new Set(accounts.map(({ account }) => account.institutionId))]);
  return accounts
    .map((listed) => ({ ...listed, institutionName: names.get(listed.account.institutionId) }))
    .sort((one, other) => compareAccounts(one.account, other.account));
}

function compareAccounts(one: Account, other: Account): number {
  return (
    byId(one.institutionId, other.institutionId) ||
    german.compare(one.lastName, other.lastName) ||
    german.compare(one.firstName, other.firstName) ||
    byId(one.id, other.id)
  );
}

function byId(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

const german = new Intl.Collator('de');

/** Returns the institution of the caller. @throws AppError `not_found` */
export async function getInstitution({ directory }: Ports, caller: Caller): Promise<Institution> {
  const institution = await directory.institution(caller);
  if (institution === undefined) throw new AppError('not_found', 'There is no such institution.');
  return institution;
}

/** The number of employees that are read together. With full custom fields they have 3 MB. */
const EMPLOYEES_A_SLICE = 200;

/**
 * Yields all employees that the caller may see, slice by slice. They are sorted here, because databases differ in how they compare names, and
 * by a few fields only: custom fields of ten thousand employees may have more bytes than the process has memory.
 *
 * @param customFields the names of the custom fields to return; undefined means all
 */
export async function* listEmployees(
  { directory }: Ports,
  caller: Caller,
  customFields: ReadonlySet<string> | undefined,
): AsyncGenerator<readonly Employee[], void, undefined> {
  const read = async (slice: readonly string[]) => {
    const found = new Map((await directory.employees(caller, slice, customFields)).map((employee) => [employee.id, employee]));
    return slice.flatMap((id) => found.get(id) ?? []);
  };
  for await (const employees of readAhead(slicesOf(await idsInOrder(directory, caller)), read)) if (employees.length > 0) yield employees;
}

async function idsInOrder(directory: Directory, caller: Caller): Promise<string[]> {
  const staff: OrderedEmployee[] = [];
  for await (const employee of directory.staff(caller)) staff.push(employee);
  return staff.sort(compareEmployees).map(({ id }) => id);
}

function slicesOf(ids: readonly string[]): string[][] {
  const count = Math.ceil(ids.length / EMPLOYEES_A_SLICE);
  return Array.from({ length: count }, (_, at) => ids.slice(at * EMPLOYEES_A_SLICE, (at + 1) * EMPLOYEES_A_SLICE));
}
