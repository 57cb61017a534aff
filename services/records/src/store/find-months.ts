import type { MongoDb } from '@stechuhr/mongo';
import { monthKey, type EpochDay } from '@stechuhr/worktime';
import type { mongo } from 'mongoose';
import { monthsAround, type RecordPart } from '../domain/time-records.js';
import { collectionOf } from './collections.js';
import { startOf, type SliceQuery } from './find-owned.js';
import { monthIdOf } from './wire/month-index.js';

type Document = mongo.Document & { readonly _id: string };

/** The months around the requested days, by employee and in order, as raw BSON. */
export async function findMonths(database: MongoDb, query: SliceQuery): Promise<Map<string, Buffer[]>> {
  const { institutionId, employeeIds, parts, signal } = query;
  const keysFrom = keysUntil(query.toDay);
  const idsOf = (employeeId: string) => keysFrom(startOf(employeeId, query)).map((key) => `${institutionId}/${employeeId}/${key}`);
  const ids = employeeIds.flatMap(idsOf);
  const found = await collectionOf<Document>(database, 'workmonths')
    // One round trip more than needed would follow a full first batch.
    .find({ _id: { $in: ids }, deleted_at: null }, { raw: true, projection: projectionOf(parts), batchSize: ids.length + 1, signal })
    .toArray();
  const months = new Map(found.map(asBytes).map((bytes) => [monthIdOf(bytes), bytes]));
  return new Map(employeeIds.map((employeeId) => [employeeId, idsOf(employeeId).flatMap((id) => months.get(id) ?? [])]));
}

/** The keys of months from a day on; most employees share that day. */
function keysUntil(toDay: EpochDay): (fromDay: EpochDay) => readonly string[] {
  const known = new Map<EpochDay, readonly string[]>();
  return (fromDay) => {
    const keys = known.get(fromDay) ?? monthsAround(fromDay, toDay).map(monthKey);
    known.set(fromDay, keys);
    return keys;
  };
}

/** Leaving out a part of each workday is work for the server: it is worth it for all timespans, but not for the few edits. */
function projectionOf(parts: ReadonlySet<RecordPart>): mongo.Document {
  if (parts.has('timespans')) return { outbox: 0 };
  return { outbox: 0, 'workdays.timespans': 0, ...(!parts.has('edits') && { 'workdays.edits': 0 }) };
}

/** With `raw` the driver returns bytes, although its types say document. */
function asBytes(document: Document): Buffer {
  const { buffer, byteOffset, byteLength } = document as unknown as Uint8Array<ArrayBuffer>;
  return Buffer.from(buffer, byteOffset, byteLength);
}
