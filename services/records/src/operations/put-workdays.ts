import { isDeepStrictEqual } from 'node:util';
import type { Change } from '../domain/line.js';
import { monthId } from '../domain/month.js';
import { copiesOf, type WorkdayCopy } from '../domain/workday-copies.js';
import { addressOf } from './address-of.js';
import { MonthDrafts } from './month-drafts.js';
import { accepted, isKnown, obstacle, refusalsOf, type Outcome } from './outcome.js';
import type { WriteContext } from './ports.js';
import { untilSettled } from './until-settled.js';

/**
 * Writes workdays into their months, one write a month. A workday that moves is written into its new month first and pulled from the old
 * one in the next round, so that it is never lost; until then the higher version counts.
 */
export function putWorkdays(context: WriteContext, changes: readonly Change[]): Promise<Map<Change, Outcome>> {
  return untilSettled(changes, async (open) => {
    // Heads before copies: whoever puts the same workday into a month in between changes the version that its head has.
    const heads = await context.months.loadHeads(open.map(addressOf));
    const whole = await context.months.holding(open.map(({ id }) => id));
    const drafts = new MonthDrafts(heads, whole);
    const copies = copiesOf(whole);
    const settled = new Map<Change, Outcome>();
    for (const change of open) {
      const outcome = put(context, drafts, { change, copies: copies.get(change.id) ?? [] });
      if (outcome !== undefined) settled.set(change, outcome);
    }
    return (await drafts.save(context)) ? settled : refusalsOf(settled);
  });
}

interface Put {
  readonly change: Change;
  /** The newest first. */
  readonly copies: readonly WorkdayCopy[];
}

/** @returns the outcome once the drafts are saved; undefined when it takes another round */
function put({ events }: WriteContext, drafts: MonthDrafts, { change, copies }: Put): Outcome | undefined {
  const { institutionId, id } = change;
  const [newest] = copies;
  const written = newest && { institutionId: newest.address.institutionId, sequence: newest.workday.sequence };
  const outcome = written && obstacle(change, written);
  if (outcome !== undefined) return outcome;
  const target = addressOf(change);
  const elsewhere = copies.filter(({ address }) => monthId(address) !== monthId(target));
  const fields = change.content?.fields ?? {};
  const unchanged = newest !== undefined && !elsewhere.includes(newest) && isDeepStrictEqual(newest.workday.fields, fields);
  if (unchanged && written !== undefined && isKnown(change, written)) {
    for (const { address } of elsewhere) drafts.of(address).remove(id);
    return accepted;
  }
  const workday = { id, version: (newest?.workday.version ?? 0) + 1, sequence: change.sequence ?? written?.sequence, fields };
  drafts.of(target).put(workday, unchanged ? undefined : events.changed('workday', institutionId, id));
  return elsewhere.length === 0 ? accepted : undefined;
}
