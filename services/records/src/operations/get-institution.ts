import { AppError } from '@stechuhr/kernel';
import type { Caller } from '../domain/caller.js';
import type { Institution } from '../domain/directory.js';
import type { Directory } from './ports.js';

export async function getInstitution({ directory }: { directory: Directory }, caller: Caller): Promise<Institution> {
  const institution = await directory.institution(caller);
  if (institution === undefined) throw new AppError('not_found', 'There is no such institution.');
  return institution;
}
