import { isDeepStrictEqual } from 'node:util';
import { untilSettled } from '@stechuhr/ingest';
import { accepted, isKnown, obstacle, type Outcome } from '@stechuhr/ingest/kinds';
import type { Change } from '../domain/kind.js';
import { monthId } from '../domain/month.js';
import { copiesOf, type WorkdayCopy } from '../domain/month-contents.js';
import { markDeletions } from './mark-deletions.js';
import { MonthDrafts, placeOf, refusalsOf } from './month-drafts.js';
import type { WriteContext } from './ports.js';

/**
 * Writes workdays into their months, one write a month. A workday that moves is written into its new month first and pulled from the old
 * one in the next round, so that it is never lost; until then the higher version counts.
 */
export function putWorkdays(context: WriteContext, changes: readonly Change[]): Promise<Map<Change, Outcome>> {
  return untilSettled(changes, async (open) => {
    // Heads before copies: a concurrent write of the same workday changes the version of the head.
    const heads = await context.months.loadHeads(open.map((change) => placeOf(change).address));
    const whole = await context.months.holding(open.map(({ id }) => id));
    const drafts = new MonthDrafts(heads, whole);
    const copies = copiesOf(whole);
    const settled = new Map<Change, Outcome>();
    for (const change of open) {
      const outcome = put(context, drafts, { change, copies: copies.get(change.id) });
      if (outcome !== undefined) settled.set(change, outcome);
    }
    return (await drafts.save(context)) ? settled : refusalsOf(settled);
  });
}

interface Put {
  readonly change: Change;
  /** The newest first. */
  readonly copies: readonly [WorkdayCopy, ...WorkdayCopy[]] | undefined;
}

/** @returns the outcome once the drafts are saved; undefined when it takes another round */
function put(context: WriteContext, drafts: MonthDrafts, { change, copies }: Put): Outcome | undefined {
  if (copies === undefined) return write(context, drafts, { change, version: 1, sequence: change.sequence, isNews: true });
  const [{ address, workday }] = copies;
  const written = { institutionId: address.institutionId, sequence: workday.sequence };
  const outcome = obstacle(change, written);
  if (outcome !== undefined) return outcome;
  const place = placeOf(change);
  const elsewhere = copies.filter((copy) => monthId(copy.address) !== monthId(place.address));
  const isNews = monthId(address) !== monthId(place.address) || !isDeepStrictEqual(workday.fields, place.fields);
  if (isNews || !isKnown(change, written)) {
    write(context, drafts, { change, version: workday.version + 1, sequence: change.sequence ?? workday.sequence, isNews });
    return elsewhere.length === 0 ? accepted : undefined;
  }
  for (const copy of elsewhere) drafts.of(copy.address).remove(change.id);
  return accepted;
}

interface Write {
  readonly change: Change;
  readonly version: number;
  readonly sequence: number | undefined;
  /** Whether it changes anything but its place in the stream. */
  readonly isNews: boolean;
}

function write({ events }: WriteContext, drafts: MonthDrafts, { change, version, sequence, isNews }: Write): Outcome {
  const { address, fields } = placeOf(change);
  const event = isNews ? events.changed('workday', change.institutionId, change.id) : undefined;
  drafts.of(address).put({ id: change.id, version, sequence, fields }, event);
  return accepted;
}

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
