import { AppError } from '@stechuhr/kernel';
import type { Change } from './kinds/change.js';
import type { Outcome } from './kinds/outcome.js';

/** The number of consecutive attempts without any outcome after which concurrent writes cannot be the cause. */
const MAX_RACES = 20;

/**
 * Repeats an attempt with the changes that have no outcome yet: those that lost a race, and those that need a second step. Each attempt
 * reads the stored records, so that changes written before count as done.
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
  throw new AppError('unavailable', 'Too many concurrent writes of the same records.', { isOfRecord: true });
}
