import type { Change } from '../domain/line.js';
import type { MonthAddress } from '../domain/month.js';

/** The month that a change of tracked time wants to be in. */
export function addressOf({ institutionId, content }: Change): MonthAddress {
  if (content?.placement === undefined) throw new Error('The change has no month.');
  return { institutionId, ...content.placement };
}
