import type { Change, Fields } from '../domain/kind.js';
import type { MonthAddress } from '../domain/month.js';

/** Where a change of tracked time wants to be, and with which fields. */
export function placeOf({ institutionId, content }: Change): { address: MonthAddress; fields: Fields } {
  if (content?.placement === undefined) throw new Error('The change has no month.');
  return { address: { institutionId, ...content.placement }, fields: content.fields };
}
