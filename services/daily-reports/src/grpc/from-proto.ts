import type { commonV1 } from '@stechuhr/contracts';
import { AppError } from '@stechuhr/kernel';
import type { Caller } from '../operations/ports.js';

/** Who asks; the gateway always says. */
export function callerOf(caller: commonV1.Caller | undefined): Caller {
  if (caller === undefined) throw new AppError('internal', 'Internal error.', { cause: new Error('The call names no caller.') });
  return { institutionId: caller.institutionId, accountId: caller.accountId };
}
