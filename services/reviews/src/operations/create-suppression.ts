import { newId } from '@stechuhr/kernel';
import type { Suppression } from '../domain/suppression.js';
import { judgeSuppression } from './judge-suppression.js';
import type { Call } from './ports.js';

export interface Created {
  readonly suppression: Suppression;
  /** False where the rule was there already; nothing of it changes then. */
  readonly created: boolean;
}

/** Stores a suppression rule, once for each code, employee and first day, however many try at a time. @throws AppError `invalid` */
export async function createSuppression(call: Call, json: string): Promise<Created> {
  const { suppressions, caller, clock, events } = call;
  const fields = await judgeSuppression(call.records, json);
  while (true) {
    const now = clock.now();
    const suppression: Suppression = { id: newId(), ...fields, createdAt: now, modifiedAt: now };
    if (await suppressions.insert(caller, suppression, events.suppression('reviews.suppression.created', caller, suppression))) {
      call.notifyOutbox();
      return { suppression, created: true };
    }
    const existing = await suppressions.findLike(caller, fields);
    if (existing !== undefined) return { suppression: existing, created: false };
    // It went away between the two: the place is free again.
  }
}
