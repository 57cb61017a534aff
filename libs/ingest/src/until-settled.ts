import { AppError } from '@stechuhr/kernel';
import type { Change } from './kinds/change.js';
import type { Outcome } from './kinds/outcome.js';

/** An attempt that settles nothing is repeated; so many in a row are no race any more. */
const MAX_RACES = 20;

/**
 * Repeats an attempt over the changes that have no outcome yet: those that lost a race, and those that take two steps. An attempt reads
 * what is there, so that what was written before counts as done.
 *
 * @throws AppError `unavailable` when the compare-and-set is lost too often
 */
export async function untilSettled<T extends Change>(
  changes: readonly T[],
  attempt: (open: readonly T[]) => Promise<ReadonlyMap<T, Outcome>>,
): Promise<Map<T, Outcome>> {
  const outcomes = new Map<T, Outcome>();
  for (let lost = 0; lost < MAX_RACES; lost += 1) {
    const open = changes.filter((change) => !outcomes.has(change));
    if (open.length === 0) return outcomes;
    const settled = await attempt(open);
    for (const [change, outcome] of settled) outcomes.set(change, outcome);
    if (settled.size > 0) lost = -1;
  }
  throw new AppError('unavailable', 'Too many concurrent writes of the same records.');
}
