import { untilSettled } from '@stechuhr/ingest';
import { accepted, obstacle, type Outcome } from '@stechuhr/ingest/kinds';
import type { Change } from '../domain/kind.js';
import { copiesOf, type WorkdayCopy } from '../domain/workday-copies.js';
import { markDeletions } from './mark-deletions.js';
import { MonthDrafts } from './month-drafts.js';
import { refusalsOf } from './outcome.js';
import type { WriteContext } from './ports.js';

/** Takes workdays out of every month that holds them. */
export function deleteWorkdays(context: WriteContext, changes: readonly Change[]): Promise<Map<Change, Outcome>> {
  return untilSettled(changes, async (open) => {
    const whole = await context.months.holding(open.map(({ id }) => id));
    const copies = copiesOf(whole);
    const drafts = new MonthDrafts(new Map(), whole);
    const settled = new Map<Change, Outcome>();
    for (const change of open) settled.set(change, remove(context, drafts, { change, copies: copies.get(change.id) ?? [] }));
    const deleted = open.filter((change) => settled.get(change) === accepted);
    await markDeletions(context, deleted, ({ id }) => copies.get(id)?.[0]?.workday.sequence);
    return (await drafts.save(context)) ? settled : refusalsOf(settled);
  });
}

interface Removal {
  readonly change: Change;
  /** The newest first. */
  readonly copies: readonly WorkdayCopy[];
}

function remove({ events }: WriteContext, drafts: MonthDrafts, { change, copies }: Removal): Outcome {
  const [newest, ...stale] = copies;
  if (newest === undefined) return accepted;
  const { institutionId } = newest.address;
  const outcome = obstacle(change, { institutionId, sequence: newest.workday.sequence });
  if (outcome !== undefined) return outcome;
  drafts.of(newest.address).remove(change.id, events.deleted('workday', institutionId, change.id));
  for (const { address } of stale) drafts.of(address).remove(change.id);
  return accepted;
}
