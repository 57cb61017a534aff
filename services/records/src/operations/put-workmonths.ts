import { isDeepStrictEqual } from 'node:util';
import type { Change } from '../domain/line.js';
import { monthId, type StoredMonth } from '../domain/month.js';
import { addressOf } from './address-of.js';
import { MonthDrafts } from './month-drafts.js';
import { accepted, isKnown, obstacle, refusalsOf, type Outcome } from './outcome.js';
import type { WriteContext } from './ports.js';
import { untilSettled } from './until-settled.js';

/** Writes what is recorded about months as a whole; the id of a record replaces the derived one. A month has one record at most. */
export function putWorkmonths(context: WriteContext, changes: readonly Change[]): Promise<Map<Change, Outcome>> {
  return untilSettled(changes, async (open) => {
    const heads = await context.months.loadHeads(open.map(addressOf));
    const whole = await context.months.recordedAs(open.map(({ id }) => id));
    const drafts = new MonthDrafts(heads, whole);
    const settled = new Map<Change, Outcome>();
    for (const change of open) {
      const outcome = put(context, drafts, { change, places: whole.filter(({ record }) => record?.id === change.id) });
      if (outcome !== undefined) settled.set(change, outcome);
    }
    return (await drafts.save(context)) ? settled : refusalsOf(settled);
  });
}

interface Put {
  readonly change: Change;
  /** Where the record is: one month, or two while it moves. */
  readonly places: readonly StoredMonth[];
}

/** @returns the outcome once the drafts are saved; undefined when it takes another round */
function put({ events }: WriteContext, drafts: MonthDrafts, { change, places }: Put): Outcome | undefined {
  const { institutionId, id } = change;
  const target = addressOf(change);
  const here = places.find(({ address }) => monthId(address) === monthId(target));
  const elsewhere = places.filter((place) => place !== here);
  const place = here ?? elsewhere[0];
  const written = place && { institutionId: place.address.institutionId, sequence: place.record?.sequence };
  const outcome = written && obstacle(change, written);
  if (outcome !== undefined) return outcome;
  const draft = drafts.of(target);
  if (draft.record !== undefined && draft.record.id !== id) {
    return { kind: 'rejected', reason: `The employee already has the workmonth ${draft.record.id} for this year and month.` };
  }
  const fields = change.content?.fields ?? {};
  const unchanged = here !== undefined && isDeepStrictEqual(here.record?.fields, fields);
  if (unchanged && written !== undefined && isKnown(change, written)) {
    for (const { address } of elsewhere) drafts.of(address).setRecord(undefined);
    return accepted;
  }
  const record = { id, sequence: change.sequence ?? written?.sequence, fields };
  draft.setRecord(record, unchanged ? undefined : events.changed('workmonth', institutionId, id));
  return elsewhere.length === 0 ? accepted : undefined;
}
