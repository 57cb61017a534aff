import type { CloudEvent } from '@stechuhr/contracts';
import type { Clock } from '@stechuhr/kernel';
import { roomInOutbox, type MongoDb } from '@stechuhr/mongo';
import type { mongo } from 'mongoose';
import type { MonthWrite } from '../domain/month-draft.js';
import { MAX_MONTH_BYTES, monthId } from '../domain/month.js';
import { nameOf } from '../domain/month-contents.js';
import type { MonthStore, RecordName } from '../operations/ports.js';
import { nextVersion, writeAll, type VersionedWrite } from './bulk-write.js';
import { collectionOf, type Documents } from './collections.js';
import { fromAddress, fromCounts, fromMonthRecord, fromWorkday, toMonth, type MonthDocument } from './month-document.js';

type Update = mongo.UpdateFilter<MonthDocument>;

/** Reads at most one event, which shows whether the outbox is empty. */
const WITHOUT_EVENTS = { outbox: { $slice: 1 } } as const;

const SOME = 50;
const WRITES_AT_A_TIME = 100;
const EMPTY = { workdays: 0, timespans: 0 };

export function createMonthStore(database: MongoDb, clock: Clock): MonthStore {
  const months: Documents<MonthDocument> = collectionOf(database, 'workmonths');
  const findWhole = async (filter: mongo.Filter<MonthDocument>) =>
    (await months.find({ ...filter, deleted_at: null }, { projection: WITHOUT_EVENTS }).toArray()).map(toMonth);
  const findNamed = async (named: readonly RecordName[], condition: (ids: string[]) => mongo.Filter<MonthDocument>) => {
    const ids = named.map(({ id }) => id);
    return ids.length === 0 ? [] : findWhole({ institution_id: institutionsOf(named), ...condition(ids) });
  };
  return {
    async loadHeads(addresses) {
      if (addresses.length === 0) return new Map();
      const ids = [...new Set(addresses.map(monthId))];
      const found = await months
        .find({ _id: { $in: ids }, institution_id: institutionsOf(addresses) }, { projection: { workdays: 0, ...WITHOUT_EVENTS } })
        .toArray();
      return new Map(found.map((document) => [document._id, toMonth(document)]));
    },
    holding: (workdays) => findNamed(workdays, (ids) => ({ 'workdays.id': { $in: ids } })),
    recordedAs: (workmonths) => findNamed(workmonths, (ids) => ({ id: { $in: ids }, recorded: true })),
    async placesOf(kind, records) {
      return placesIn(kind, records, months.find(holding(kind, records), { projection: idsIn(kind) }));
    },
    async wholeBytesOf(kind, records) {
      if (records.length === 0) return 0;
      const found = await months.find(holding(kind, records), { projection: { workday_bytes: 1 } }).toArray();
      return found.reduce((sum, { workday_bytes = 0 }) => sum + workday_bytes, 0);
    },
    async ofEmployee(institutionId, employeeId) {
      const own = { institution_id: institutionId, employee_id: employeeId };
      const found = await months.find({ ...own, deleted_at: null }, { projection: { workday_bytes: 1 }, limit: SOME }).toArray();
      const ids: string[] = [];
      let bytes = 0;
      for (const { _id, workday_bytes = 0 } of found) {
        bytes += workday_bytes;
        if (ids.length > 0 && bytes > MAX_MONTH_BYTES) break;
        ids.push(_id);
      }
      return ids.length === 0 ? [] : findWhole({ ...own, _id: { $in: ids } });
    },
    async save(writes) {
      const parts = Array.from({ length: Math.ceil(writes.length / WRITES_AT_A_TIME) }, (_, part) =>
        writes.slice(part * WRITES_AT_A_TIME, (part + 1) * WRITES_AT_A_TIME),
      );
      const saved = await Promise.all(
        parts.map((part) =>
          writeAll(
            months,
            part.map((write) => toOperation(write, clock)),
          ),
        ),
      );
      await removeSilentlyGone(months, writes);
      return saved.every(Boolean);
    },
  };
}

/** Projects only ids, because the months of a batch have thousands of timespans. */
function idsIn(kind: 'workday' | 'workmonth') {
  return { institution_id: 1, ...(kind === 'workday' ? { 'workdays.id': 1 } : { id: 1 }) };
}

/** Returns the filter for the months that contain one of the records. */
function holding(kind: 'workday' | 'workmonth', records: readonly RecordName[]): mongo.Filter<MonthDocument> {
  const ids = records.map(({ id }) => id);
  const holds = kind === 'workday' ? { 'workdays.id': { $in: ids } } : { id: { $in: ids }, recorded: true };
  return { institution_id: institutionsOf(records), ...holds, deleted_at: null };
}

/** Reads the months one after the other, since each of them may have thousands of workdays. */
async function placesIn(
  kind: 'workday' | 'workmonth',
  records: readonly RecordName[],
  found: AsyncIterable<MonthDocument>,
): Promise<Map<string, string[]>> {
  const places = new Map<string, string[]>(records.map((record) => [nameOf(record, record.id), []]));
  for await (const { _id, institution_id: institutionId, id, workdays = [] } of found)
    for (const one of kind === 'workday' ? workdays : [{ id }]) places.get(nameOf({ institutionId }, one.id))?.push(_id);
  return places;
}

/**
 * Deletes the documents of deleted months that have no events. The relay removes a deleted document after publishing its last event, but a
 * month whose last workday moved to another month has no event to publish.
 */
async function removeSilentlyGone(months: Documents<MonthDocument>, writes: readonly MonthWrite<CloudEvent>[]): Promise<void> {
  const left = writes.filter(({ gone, events }) => gone && events.length === 0).map(({ address }) => address);
  const ids = left.map(monthId);
  if (ids.length > 0)
    await months.deleteMany({ _id: { $in: ids }, institution_id: institutionsOf(left), deleted_at: { $ne: null }, outbox: { $size: 0 } });
}

function toOperation(write: MonthWrite<CloudEvent>, clock: Clock): VersionedWrite<MonthDocument> {
  const { address, after } = write;
  const now = new Date(clock.now());
  if (after === undefined) return { insertOne: { document: { _id: monthId(address), ...content(write, now), outbox: [...write.events] } } };
  const update = after.gone ? creation(write, now) : change(write, now);
  // Contains the whole shard key, which an upsert into a sharded collection requires.
  const filter = { _id: monthId(address), ...fromAddress(address), version: after.version, ...(!write.gone && roomInOutbox) };
  return { updateOne: { filter, update, upsert: after.gone } };
}

function institutionsOf(named: readonly { readonly institutionId: string }[]): { readonly $in: string[] } {
  return { $in: [...new Set(named.map(({ institutionId }) => institutionId))] };
}

/** Returns the complete content of a new document. */
function content({ address, after, record, workdays, bytes }: MonthWrite<CloudEvent>, now: Date) {
  const all = 'all' in workdays ? workdays.all : workdays.added;
  return {
    ...fromAddress(address),
    ...fromMonthRecord(address, record),
    workdays: all.map(fromWorkday),
    ...fromCounts(EMPTY, all),
    workday_bytes: bytes,
    version: nextVersion(after),
    recorded_at: now,
    modified_at: now,
    touched_at: now,
  };
}

/** Writes the complete content, because the previous document was deleted and may have been removed in the meantime. */
function creation(write: MonthWrite<CloudEvent>, now: Date): Update {
  const { record, events } = write;
  return {
    $set: content(write, now),
    $unset: { deleted_at: 1, ...(record?.sequence === undefined && { sequence: 1 }) },
    $push: { outbox: { $each: [...events] } },
  };
}

function change({ address, after, record, changesRecord, workdays, bytes, events, gone }: MonthWrite<CloudEvent>, now: Date): Update {
  return {
    $set: {
      ...fromMonthRecord(address, record),
      ...('all' in workdays ? fromCounts(EMPTY, workdays.all) : fromCounts(after?.counts, workdays.added)),
      workday_bytes: bytes,
      ...('all' in workdays && { workdays: workdays.all.map(fromWorkday) }),
      ...(gone && { deleted_at: now }),
      version: nextVersion(after),
      ...(changesRecord && { modified_at: now }),
      touched_at: now,
    },
    ...(record?.sequence === undefined && { $unset: { sequence: 1 } }),
    $push: {
      outbox: { $each: [...events] },
      ...('added' in workdays && { workdays: { $each: workdays.added.map(fromWorkday) } }),
    },
  };
}
