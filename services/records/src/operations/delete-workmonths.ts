import { untilSettled } from '@stechuhr/ingest';
import { accepted, obstacle, type Outcome } from '@stechuhr/ingest/kinds';
import type { Change } from '../domain/kind.js';
import { recordsOf, type RecordedMonth } from '../domain/recorded-months.js';
import { markDeletions } from './mark-deletions.js';
import { MonthDrafts } from './month-drafts.js';
import { refusalsOf } from './outcome.js';
import type { WriteContext } from './ports.js';

/** Removes what is recorded about months as a whole. Their workdays are separate records and stay. */
export function deleteWorkmonths(context: WriteContext, changes: readonly Change[]): Promise<Map<Change, Outcome>> {
  return untilSettled(changes, async (open) => {
    const whole = await context.months.recordedAs(open.map(({ id }) => id));
    const drafts = new MonthDrafts(new Map(), whole);
    const places = recordsOf(whole);
    const settled = new Map<Change, Outcome>();
    for (const change of open) settled.set(change, remove(context, drafts, { change, places: places.get(change.id) ?? [] }));
    const deleted = open.filter((change) => settled.get(change) === accepted);
    await markDeletions(context, deleted, ({ id }) => places.get(id)?.[0]?.record.sequence);
    return (await drafts.save(context)) ? settled : refusalsOf(settled);
  });
}

interface Removal {
  readonly change: Change;
  /** Where the record is: nowhere, in one month, or in two while it moves. */
  readonly places: readonly RecordedMonth[];
}

function remove({ events }: WriteContext, drafts: MonthDrafts, { change, places }: Removal): Outcome {
  const [place, ...others] = places;
  if (place === undefined) return accepted;
  const { institutionId } = place.address;
  const outcome = obstacle(change, { institutionId, sequence: place.record.sequence });
  if (outcome !== undefined) return outcome;
  drafts.of(place.address).setRecord(undefined, events.deleted('workmonth', institutionId, change.id));
  for (const { address } of others) drafts.of(address).setRecord(undefined);
  return accepted;
}
