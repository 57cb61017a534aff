import { requireCaller, type commonV1 } from '@stechuhr/contracts';
import { parseUuid } from '@stechuhr/kernel';
import type { CallContext } from '@stechuhr/service';
import type { Context } from '../context.js';
import { noSuchSuppression } from '../operations/suppressions.js';
import type { Call } from '../operations/ports.js';

/** Returns the dependencies of an operation for the caller of a request. */
export function callOf({ ports, recordsOf }: Context, caller: commonV1.Caller | undefined, { signal }: CallContext): Call {
  const { institutionId, accountId } = requireCaller(caller);
  return { ...ports, caller: { institutionId }, records: recordsOf({ institutionId, accountId }, signal), signal };
}

/** Parses an id. @throws AppError `not_found` for a text that is not a UUID */
export function toId(text: string): string {
  const id = parseUuid(text);
  if (id === undefined) throw noSuchSuppression();
  return id;
}
