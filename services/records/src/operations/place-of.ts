import type { Change, Fields } from '../domain/kind.js';
import type { MonthAddress } from '../domain/month.js';

/** The month to which a change of tracked time belongs, and its fields. */
export function placeOf({ institutionId, content }: Change): { address: MonthAddress; fields: Fields } {
  if (content?.placement === undefined) throw new Error('The change has no month.');
  return { address: { institutionId, ...content.placement }, fields: content.fields };
}
