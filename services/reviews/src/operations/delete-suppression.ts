import { findSuppression, noSuchSuppression } from './find-suppression.js';
import type { Call } from './ports.js';

/** Deletes a suppression rule; its combination is free at once. @throws AppError `not_found` */
export async function deleteSuppression(call: Call, id: string): Promise<void> {
  const rule = await findSuppression(call, id);
  const event = call.events.suppression('reviews.suppression.deleted', call.caller, rule);
  if (!(await call.suppressions.remove(call.caller, id, event))) throw noSuchSuppression();
  call.notifyOutbox();
}
