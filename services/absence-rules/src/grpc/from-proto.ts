import type { commonV1 } from '@stechuhr/contracts';
import { AppError } from '@stechuhr/kernel';
import type { CallContext } from '@stechuhr/service';
import type { Context } from '../context.js';
import type { Call } from '../operations/ports.js';

/** What answers a request, for the caller that it names. */
export function callOf(context: Context, caller: commonV1.Caller | undefined, { signal }: CallContext): Call {
  if (caller?.visibility === undefined)
    throw new AppError('internal', 'Internal error.', { cause: new Error('The call names no caller.') });
  return { ...context.ports, caller, records: context.recordsOf(caller, signal) };
}
