import { AppError } from '@stechuhr/kernel';
import { sameFields, type Suppression } from '../domain/suppression.js';
import { findSuppression } from './find-suppression.js';
import { judgeChange } from './judge-suppression.js';
import type { Call } from './ports.js';

export interface SuppressionChange {
  readonly id: string;
  /** The fields that change. */
  readonly json: string;
}

/**
 * Changes a suppression rule. What changes nothing leaves `modifiedAt` and publishes nothing.
 *
 * @throws AppError `not_found`, whatever the body says; `invalid`, also where another rule has the combination
 */
export async function updateSuppression(call: Call, { id, json }: SuppressionChange): Promise<Suppression> {
  const { suppressions, caller, clock, events } = call;
  while (true) {
    const before = await findSuppression(call, id);
    const fields = await judgeChange(call.records, json, before);
    if (sameFields(before, fields)) return before;
    const after: Suppression = { ...before, ...fields, modifiedAt: clock.now() };
    const event = events.suppression('reviews.suppression.updated', caller, after);
    const outcome = await suppressions.replace(caller, { before, after }, event);
    if (outcome === 'taken') throw combinationTaken();
    if (outcome === 'stale') continue;
    call.notifyOutbox();
    return after;
  }
}

function combinationTaken(): AppError {
  return AppError.invalid({ non_field_errors: ['The fields code, employee_id, valid_from must make a unique set.'] });
}
