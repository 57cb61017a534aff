import type { MongoDb } from '@stechuhr/mongo';
import { monthKey } from '@stechuhr/worktime';
import type { mongo } from 'mongoose';
import { monthsToRead, type RecordPart, type Start } from '../domain/time-records.js';
import { collectionOf } from './collections.js';
import type { SliceQuery } from './find-owned.js';
import { SliceTooLarge } from './slice-too-large.js';
import { monthIdOf } from './wire/month-index.js';

type Document = mongo.Document & { readonly _id: string };

/** The maximum size of the months of several employees that are in memory together, in bytes: more than twice that of usual months. */
const MAX_SLICE_BYTES = 8 * 1024 * 1024;

/**
 * Returns the months around the requested days as raw BSON, by employee and in ascending order.
 *
 * @throws SliceTooLarge if those of several employees have more than `MAX_SLICE_BYTES`
 */
export async function findMonths(database: MongoDb, query: SliceQuery): Promise<Map<string, Buffer[]>> {
  const { institutionId, employeeIds, parts, signal, starts } = query;
  const around = monthsToRead(undefined, query).map(monthKey);
  const keysOf = (start: Start | undefined) => (start === undefined ? around : monthsToRead(start, query).map(monthKey));
  const idsOf = (employeeId: string) => keysOf(starts.get(employeeId)).map((key) => `${institutionId}/${employeeId}/${key}`);
  const ids = employeeIds.flatMap(idsOf);
  const found = collectionOf<Document>(database, 'workmonths')
    // A completely filled first batch would cause another round trip, so the batch is larger by one.
    .find(
      { _id: { $in: ids }, institution_id: institutionId, deleted_at: null },
      { raw: true, projection: projectionOf(parts), batchSize: ids.length + 1, signal },
    )
    .map(asBytes);
  const months = new Map<string, Buffer>();
  let size = 0;
  for await (const bytes of found) {
    size += bytes.length;
    if (size > MAX_SLICE_BYTES && employeeIds.length > 1) throw new SliceTooLarge();
    months.set(monthIdOf(bytes), bytes);
  }
  return new Map(employeeIds.map((employeeId) => [employeeId, idsOf(employeeId).flatMap((id) => months.get(id) ?? [])]));
}

/**
 * Returns the projection. Excluding a part of each workday costs the server time, which pays off for the many timespans but not for the few
 * edits.
 */
function projectionOf(parts: ReadonlySet<RecordPart>): mongo.Document {
  if (parts.has('timespans')) return { outbox: 0 };
  return { outbox: 0, 'workdays.timespans': 0, ...(!parts.has('edits') && { 'workdays.edits': 0 }) };
}

/** With `raw` the driver returns bytes, although its types say document. */
function asBytes(document: Document): Buffer {
  const { buffer, byteOffset, byteLength } = document as unknown as Uint8Array<ArrayBuffer>;
  return Buffer.from(buffer, byteOffset, byteLength);
}
