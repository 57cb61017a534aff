import { isDeepStrictEqual } from 'node:util';
import { isStored } from '@stechuhr/ingest/kinds';
import type { Change } from '../domain/kind.js';
import { MAX_MONTH_BYTES, monthId, type StoredMonth, type StoredWorkday } from '../domain/month.js';
import { copiesOf, nameOf, type WorkdayCopy } from '../domain/month-contents.js';
import { placeOf, type MonthDrafts } from './month-drafts.js';
import type { MonthPlan } from './month-plan.js';
import type { WriteContext } from './ports.js';

/**
 * Plans the writes of workdays. A workday that moves is first written into its new month and removed from the old one in the next attempt,
 * so that it is never lost; until then the higher version is valid. A deleted workday is removed from all months, its stale copies first: if the
 * valid one went first, a copy that stays behind would count again, and be deleted with a second event.
 */
export function planWorkdays(context: WriteContext, drafts: MonthDrafts, months: readonly StoredMonth[]): MonthPlan {
  const copies = copiesOf(months);
  const done: Change[] = [];
  const created: Change[] = [];
  return {
    done,
    created,
    stored(change) {
      const newest = copies.get(nameOf(change, change.id))?.[0];
      return newest && { institutionId: newest.address.institutionId, sequence: newest.workday.sequence };
    },
    put(change: Change) {
      const known = copies.get(nameOf(change, change.id));
      const result = put(context, drafts, { change, copies: known });
      // A later line of an import may free the room. Live objects are in the order in which they are meant to take effect.
      if (result === 'full') return { kind: change.sequence === undefined ? 'unresolved' : 'rejected', reason: FULL };
      if (result === 'done') done.push(change);
      if (known === undefined) created.push(change);
      return undefined;
    },
    remove(change: Change) {
      const [newest, ...stale] = copies.get(nameOf(change, change.id)) ?? [];
      for (const { address } of stale) drafts.of(address).remove(change.id);
      if (stale.length > 0) return undefined;
      if (newest !== undefined) {
        const { institutionId } = newest.address;
        drafts.of(newest.address).remove(change.id, context.events.deleted('workday', { institutionId, ...newest.workday }));
      }
      done.push(change);
      return undefined;
    },
    dropStale(change: Change) {
      const [, ...stale] = copies.get(nameOf(change, change.id)) ?? [];
      for (const { address } of stale) drafts.of(address).remove(change.id);
      return stale.length > 0;
    },
  };
}

const FULL = `date is in a month of the employee that has ${String(MAX_MONTH_BYTES)} bytes of workdays.`;

/** `done`: complete once the drafts are saved; `again`: needs another attempt; `full`: nothing was changed, because the month is full. */
type PutResult = 'done' | 'again' | 'full';

interface Put {
  readonly change: Change;
  /** The stored copies, the newest first. */
  readonly copies: readonly [WorkdayCopy, ...WorkdayCopy[]] | undefined;
}

function put(context: WriteContext, drafts: MonthDrafts, { change, copies }: Put): PutResult {
  if (copies === undefined) {
    const isWritten = write(context, drafts, { change, version: 1, sequence: change.sequence, isChanged: true, before: undefined });
    return isWritten ? 'done' : 'full';
  }
  const [{ address, workday }, ...stale] = copies;
  const place = placeOf(change);
  const isChanged = monthId(address) !== monthId(place.address) || !isDeepStrictEqual(workday.fields, place.fields);
  if (isStored(change, { institutionId: address.institutionId, sequence: workday.sequence }, !isChanged)) {
    for (const copy of stale) drafts.of(copy.address).remove(change.id);
    return 'done';
  }
  const sequence = change.sequence ?? workday.sequence;
  const isWritten = write(context, drafts, { change, version: workday.version + 1, sequence, isChanged, before: workday });
  if (!isWritten) return 'full';
  return copies.every((copy) => monthId(copy.address) === monthId(place.address)) ? 'done' : 'again';
}

interface Write {
  readonly change: Change;
  readonly version: number;
  readonly sequence: number | undefined;
  /** Whether it changes anything besides the stream sequence. */
  readonly isChanged: boolean;
  /** The stored workday, if it exists. */
  readonly before: StoredWorkday | undefined;
}

/** Adds the workday to the draft of its month. @returns false, without any change, if the month is full */
function write({ events, clock }: WriteContext, drafts: MonthDrafts, { change, version, sequence, isChanged, before }: Write): boolean {
  const { institutionId, id } = change;
  const { address, fields } = placeOf(change);
  const event = isChanged ? events.changed('workday', { institutionId, id, fields }, before?.fields) : undefined;
  const now = new Date(clock.now());
  const recordedAt = before === undefined ? now : before.recordedAt;
  const modifiedAt = isChanged ? now : before?.modifiedAt;
  return drafts.of(address).put({ id, version, sequence, fields, recordedAt, modifiedAt }, event);
}
