import { AppError } from '@stechuhr/kernel';
import type { Change } from '../domain/line.js';
import type { Outcome } from './outcome.js';

/** A lost race is run again; so many in a row are no race any more. */
const MAX_RACES = 20;

/**
 * Repeats an attempt over the changes that have no outcome yet: those that lost a race, and those that take two steps. An attempt reads
 * what is there, so that what was written before counts as done.
 */
export async function untilSettled(
  changes: readonly Change[],
  attempt: (open: readonly Change[]) => Promise<Map<Change, Outcome>>,
): Promise<Map<Change, Outcome>> {
  const outcomes = new Map<Change, Outcome>();
  for (let race = 0; race < MAX_RACES; race += 1) {
    const open = changes.filter((change) => !outcomes.has(change));
    if (open.length === 0) return outcomes;
    for (const [change, outcome] of await attempt(open)) outcomes.set(change, outcome);
  }
  throw new AppError('unavailable', 'Too many write the same records at once.');
}
