import { requireCaller, type commonV1 } from '@stechuhr/contracts';
import { parseUuid } from '@stechuhr/kernel';
import type { CallContext } from '@stechuhr/service';
import type { Context } from '../context.js';
import { noSuchSuppression } from '../operations/suppressions.js';
import type { Call } from '../operations/ports.js';

/** What answers a request, for the caller that it names. */
export function callOf({ ports, recordsOf }: Context, caller: commonV1.Caller | undefined, { signal }: CallContext): Call {
  const { institutionId, accountId } = requireCaller(caller);
  return { ...ports, caller: { institutionId }, records: recordsOf({ institutionId, accountId }, signal), signal };
}

/** What is no id is the id of nothing. @throws AppError `not_found` */
export function toId(text: string): string {
  const id = parseUuid(text);
  if (id === undefined) throw noSuchSuppression();
  return id;
}
