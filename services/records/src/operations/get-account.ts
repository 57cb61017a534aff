import { AppError } from '@stechuhr/kernel';
import type { Account } from '../domain/directory.js';
import type { Directory } from './ports.js';

export async function getAccount({ directory }: { directory: Directory }, accountId: string): Promise<Account> {
  const account = await directory.account(accountId.toLowerCase());
  if (account === undefined) throw new AppError('not_found', 'There is no such account.');
  return account;
}
