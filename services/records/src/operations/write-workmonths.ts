import { isDeepStrictEqual } from 'node:util';
import { untilSettled } from '@stechuhr/ingest';
import { accepted, isKnown, obstacle, type Outcome } from '@stechuhr/ingest/kinds';
import type { Change } from '../domain/kind.js';
import { monthId, type MonthRecord } from '../domain/month.js';
import { recordsOf, type RecordedMonth } from '../domain/month-contents.js';
import { markDeletions } from './mark-deletions.js';
import { MonthDrafts, placeOf, refusalsOf } from './month-drafts.js';
import type { WriteContext } from './ports.js';

/** Writes what is recorded about months as a whole; the id of a record replaces the derived one. A month has one record at most. */
export function putWorkmonths(context: WriteContext, changes: readonly Change[]): Promise<Map<Change, Outcome>> {
  return untilSettled(changes, async (open) => {
    const heads = await context.months.loadHeads(open.map((change) => placeOf(change).address));
    const whole = await context.months.recordedAs(open.map(({ id }) => id));
    const drafts = new MonthDrafts(heads, whole);
    const places = recordsOf(whole);
    const settled = new Map<Change, Outcome>();
    for (const change of open) {
      const outcome = put(context, drafts, { change, places: places.get(change.id) ?? [] });
      if (outcome !== undefined) settled.set(change, outcome);
    }
    return (await drafts.save(context)) ? settled : refusalsOf(settled);
  });
}

interface Put {
  readonly change: Change;
  /** Where the record is: nowhere, in one month, or in two while it moves. */
  readonly places: readonly RecordedMonth[];
}

/** @returns the outcome once the drafts are saved; undefined when it takes another round */
function put(context: WriteContext, drafts: MonthDrafts, { change, places }: Put): Outcome | undefined {
  const { address, fields } = placeOf(change);
  const here = places.find((place) => monthId(place.address) === monthId(address));
  const elsewhere = places.filter((place) => place !== here);
  const stored = here ?? elsewhere[0];
  const refusal = (stored && obstacle(change, writtenBy(stored))) ?? refuseSecond(drafts.of(address).record, change.id);
  if (refusal !== undefined) return refusal;
  const isNews = !isDeepStrictEqual(here?.record.fields, fields);
  if (here !== undefined && !isNews && isKnown(change, writtenBy(here))) {
    for (const place of elsewhere) drafts.of(place.address).setRecord(undefined);
    return accepted;
  }
  const record = { id: change.id, sequence: change.sequence ?? stored?.record.sequence, fields };
  const event = isNews ? context.events.changed('workmonth', change.institutionId, change.id) : undefined;
  drafts.of(address).setRecord(record, event);
  return elsewhere.length === 0 ? accepted : undefined;
}

function writtenBy({ address, record }: RecordedMonth) {
  return { institutionId: address.institutionId, sequence: record.sequence };
}

function refuseSecond(record: MonthRecord | undefined, id: string): Outcome | undefined {
  if (record === undefined || record.id === id) return undefined;
  return { kind: 'rejected', reason: `year and month already have the workmonth ${record.id} of this employee.` };
}

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
