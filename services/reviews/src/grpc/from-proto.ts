import { requireCaller, type commonV1 } from '@stechuhr/contracts';
import { parseUuid } from '@stechuhr/kernel';
import type { CallContext } from '@stechuhr/service';
import type { Context } from '../context.js';
import { noSuchSuppression } from '../operations/suppressions.js';
import type { Call } from '../operations/ports.js';

/** The context of a request, for its caller. */
export function callOf({ ports, recordsOf }: Context, caller: commonV1.Caller | undefined, { signal }: CallContext): Call {
  const { institutionId, accountId } = requireCaller(caller);
  return { ...ports, caller: { institutionId }, records: recordsOf({ institutionId, accountId }, signal), signal };
}

/** @throws AppError `not_found`, since a text that is not an id identifies nothing */
export function toId(text: string): string {
  const id = parseUuid(text);
  if (id === undefined) throw noSuchSuppression();
  return id;
}
