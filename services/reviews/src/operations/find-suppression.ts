import { AppError } from '@stechuhr/kernel';
import type { Suppression } from '../domain/suppression.js';
import type { Ports, Tenant } from './ports.js';

/** @throws AppError `not_found` */
export async function findSuppression({ suppressions, caller }: Ports & { readonly caller: Tenant }, id: string): Promise<Suppression> {
  const found = await suppressions.find(caller, id);
  if (found === undefined) throw noSuchSuppression();
  return found;
}

export function noSuchSuppression(): AppError {
  return new AppError('not_found', 'Not found.');
}
