import { isDeepStrictEqual } from 'node:util';
import { isStored, type Outcome } from '@stechuhr/ingest/kinds';
import type { Change } from '../domain/kind.js';
import { monthId, type StoredMonth } from '../domain/month.js';
import { nameOf, recordsOf, type RecordedMonth } from '../domain/month-contents.js';
import { placeOf, type MonthDrafts } from './month-drafts.js';
import type { MonthPlan } from './month-plan.js';
import type { WriteContext } from './ports.js';

/**
 * Plans the writes of month records. The id of a record replaces the derived id of the month. A month has at most one record. The workdays
 * of a month are separate records and stay when its record is removed. A deleted record is removed from all months, its stale copies first, as
 * with workdays.
 */
export function planWorkmonths(context: WriteContext, drafts: MonthDrafts, months: readonly StoredMonth[]): MonthPlan {
  const places = recordsOf(months);
  const placesOfChange = (change: Change) => places.get(nameOf(change, change.id)) ?? [];
  const done: Change[] = [];
  const created: Change[] = [];
  const kept: Change[] = [];
  /** Names of records that are being moved to another month. */
  const moving = new Set<string>();
  return {
    done,
    created,
    kept,
    stored: (change: Change) => {
      const stored = storedPlace(change, placesOfChange(change));
      return stored && writtenBy(stored);
    },
    put(change: Change) {
      const known = placesOfChange(change);
      if (isComplete(change, known)) {
        if (removeStale(drafts, change, known) && change.sequence === undefined) kept.push(change);
        done.push(change);
        return undefined;
      }
      const holder = drafts.of(placeOf(change).address).record?.id;
      const refusal = refuseSecond(holder, change.id);
      // The record that occupies the month is being moved, so the month is free in the next attempt.
      if (refusal !== undefined && moving.has(nameOf(change, holder ?? ''))) return undefined;
      if (refusal !== undefined) return refusal;
      if (put(context, drafts, { change, places: known })) done.push(change);
      else moving.add(nameOf(change, change.id));
      if (known.length === 0) created.push(change);
      return undefined;
    },
    remove(change: Change) {
      const known = placesOfChange(change);
      const newest = storedPlace(change, known);
      const stale = known.filter((place) => place !== newest);
      for (const { address } of stale) drafts.of(address).setRecord(undefined);
      if (stale.length > 0) return undefined;
      if (newest !== undefined) {
        const { institutionId } = newest.address;
        drafts.of(newest.address).setRecord(undefined, context.events.deleted('workmonth', { institutionId, ...newest.record }));
      }
      done.push(change);
      return undefined;
    },
    dropStale: (change: Change) => removeStale(drafts, change, placesOfChange(change)),
  };
}

/** Whether a change has nothing to write, except that stale copies of its record may have to be removed. */
function isComplete(change: Change, places: readonly RecordedMonth[]): boolean {
  const newest = storedPlace(change, places);
  if (newest === undefined) return false;
  const { address, fields } = placeOf(change);
  const isUnchanged = monthId(newest.address) === monthId(address) && isDeepStrictEqual(newest.record.fields, fields);
  return isStored(change, writtenBy(newest), isUnchanged);
}

/**
 * Removes a record from all months except that of its newest copy. A live object leaves copies with the same stream sequence alone: an import
 * is moving the record, and removes the older one.
 *
 * @returns whether it was in a month from which it is removed
 */
function removeStale(drafts: MonthDrafts, change: Change, places: readonly RecordedMonth[]): boolean {
  const newest = storedPlace(change, places);
  const isOlder = ({ record }: RecordedMonth) => (record.sequence ?? 0) < (newest?.record.sequence ?? 0);
  const stale = places.filter((place) => place !== newest && (change.sequence === undefined || isOlder(place)));
  for (const { address } of stale) drafts.of(address).setRecord(undefined);
  return stale.length > 0;
}

interface Put {
  readonly change: Change;
  /** The months in which the record is stored: none, one, or two while it moves. */
  readonly places: readonly RecordedMonth[];
}

/** Plans one change. @returns true if the change is complete once the drafts are saved, false if it needs another attempt */
function put(context: WriteContext, drafts: MonthDrafts, { change, places }: Put): boolean {
  const { address, fields } = placeOf(change);
  const here = places.find((place) => monthId(place.address) === monthId(address));
  const isChanged = !isDeepStrictEqual(here?.record.fields, fields);
  const before = storedPlace(change, places)?.record;
  const record = { id: change.id, sequence: change.sequence ?? before?.sequence, fields };
  const { institutionId } = address;
  const event = isChanged ? context.events.changed('workmonth', { institutionId, ...record }, before?.fields) : undefined;
  drafts.of(address).setRecord(record, event);
  return places.every((place) => place === here);
}

/**
 * Returns the stored record with which a change is compared: the one with the highest stream sequence and, if two have the same, the one in
 * the month of the change.
 */
function storedPlace(change: Change, places: readonly RecordedMonth[]): RecordedMonth | undefined {
  const own = change.content === null ? undefined : monthId(placeOf(change).address);
  const isOwn = ({ address }: RecordedMonth) => Number(monthId(address) === own);
  const byAge = (a: RecordedMonth, b: RecordedMonth) => (b.record.sequence ?? 0) - (a.record.sequence ?? 0) || isOwn(b) - isOwn(a);
  return places.toSorted(byAge)[0];
}

function writtenBy({ address, record }: RecordedMonth) {
  return { institutionId: address.institutionId, sequence: record.sequence };
}

/**
 * Returns why a record with this id has to wait if its month already has one: a later line, or a live object on its way in another replica, may
 * move or delete that one.
 */
export function refuseSecond(recordId: string | undefined, id: string): Outcome | undefined {
  if (recordId === undefined || recordId === id) return undefined;
  return { kind: 'unresolved', reason: `year and month already have the workmonth ${recordId} of this employee.` };
}
