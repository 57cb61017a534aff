import type { recordsV1 } from '@stechuhr/contracts';
import { AppError } from '@stechuhr/kernel';
import { recordReferences } from '@stechuhr/records-client';
import type { Ports } from '../operations/ports.js';

/**
 * Returns a function that checks with the records service whether an account exists. Records of version 0.2 rejects this call from workers;
 * in this case the account is assumed to exist.
 */
export function accountLookup(client: recordsV1.RecordsServiceClient): Ports['accountExists'] {
  return async ({ institutionId, accountId }, signal) => {
    const named = { institutionId, references: [{ kind: 'account', id: accountId } as const] };
    const missing = await recordReferences(client, signal).missing([named]).catch(nothingForbidden);
    return missing.length === 0;
  };
}

function nothingForbidden(caught: unknown): readonly never[] {
  if (AppError.from(caught).code === 'forbidden') return [];
  throw caught;
}
