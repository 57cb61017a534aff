import { AppError, newId } from '@stechuhr/kernel';
import { sameFields, type Suppression, type SuppressionFields } from '../domain/suppression.js';
import { judgeChange, judgeSuppression } from './judge-suppression.js';
import type { Call, Ports, Tenant } from './ports.js';

/** Returns a rule of the institution. @throws AppError `not_found` */
export async function getSuppression({ suppressions, caller }: Ports & { readonly caller: Tenant }, id: string): Promise<Suppression> {
  const found = await suppressions.find(caller, id);
  if (found === undefined) throw noSuchSuppression();
  return found;
}

export interface Created {
  readonly suppression: Suppression;
  /** False if the rule already existed; it is not changed. */
  readonly created: boolean;
}

/**
 * Creates a suppression rule, once for each code, employee and first day, even under concurrent calls.
 *
 * @throws AppError `invalid`, also if the institution has the maximum number of rules
 */
export async function createSuppression(call: Call, json: string): Promise<Created> {
  const { suppressions, limit, caller, clock, events } = call;
  // Runs concurrently with the validation; problems of the body take precedence.
  const asking = limit.hasRoom(caller.institutionId);
  asking.catch(() => undefined);
  const fields = await judgeSuppression(call.records, json);
  if (!(await asking)) return existingLike(call, fields);
  while (true) {
    const now = clock.now();
    const suppression: Suppression = { id: newId(), ...fields, createdAt: now, modifiedAt: now };
    const event = events.suppression('reviews.suppression.created', caller, suppression);
    if (await suppressions.insert(caller, suppression, event)) {
      call.notifyOutbox({ events: [event], alone: { docId: suppression.id, institutionId: caller.institutionId } });
      return { suppression, created: true };
    }
    const existing = await suppressions.findLike(caller, fields);
    if (existing !== undefined) return { suppression: existing, created: false };
    // The existing rule was deleted in between, so its combination is free again.
  }
}

async function existingLike({ suppressions, limit, caller }: Call, fields: SuppressionFields): Promise<Created> {
  const existing = await suppressions.findLike(caller, fields);
  if (existing !== undefined) return { suppression: existing, created: false };
  throw AppError.invalid({ non_field_errors: [`The institution has ${String(limit.max)} suppressions. Delete one first.`] });
}

export interface SuppressionChange {
  readonly id: string;
  /** The body with the fields to change. */
  readonly json: string;
}

/**
 * Changes a suppression rule. If nothing changes, `modifiedAt` stays and no event is published.
 *
 * @throws AppError `not_found`, even if the body is invalid; `invalid`, also if another rule has the combination
 */
export async function updateSuppression(call: Call, { id, json }: SuppressionChange): Promise<Suppression> {
  const { suppressions, caller, clock, events } = call;
  let before = await getSuppression(call, id);
  const change = await judgeChange(call.records, json);
  while (true) {
    const fields = change(before);
    if (sameFields(before, fields)) return before;
    const after: Suppression = { ...before, ...fields, modifiedAt: clock.now() };
    const event = events.suppression('reviews.suppression.updated', caller, after);
    const outcome = await suppressions.replace(caller, { before, after }, event);
    if (outcome === 'taken') throw combinationTaken();
    if (outcome === 'replaced') {
      call.notifyOutbox();
      return after;
    }
    before = await getSuppression(call, id);
  }
}

function combinationTaken(): AppError {
  return AppError.invalid({ non_field_errors: ['The fields code, employee_id, valid_from must make a unique set.'] });
}

/** Deletes a suppression rule. Its combination is free at once. @throws AppError `not_found` */
export async function deleteSuppression(call: Call, id: string): Promise<void> {
  const rule = await getSuppression(call, id);
  const event = call.events.suppression('reviews.suppression.deleted', call.caller, rule);
  if (!(await call.suppressions.remove(call.caller, id, event))) throw noSuchSuppression();
  call.notifyOutbox();
}

export function noSuchSuppression(): AppError {
  return new AppError('not_found', 'Not found.');
}
