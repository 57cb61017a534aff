import type { MongoDb } from '@stechuhr/mongo';
import type { mongo } from 'mongoose';
import type { BrowseQuery } from '../../domain/browse.js';
import type { Documents } from '../collections.js';
import { employeeScope } from './employee-scope.js';
import { browsed, INTERNAL, modifiedSince, type Source, type Stored } from './source.js';

/** Records of employees with one document each. All databases order days and ids alike, so the database sorts them. */
export interface IndexedGroup<D, T> {
  readonly documents: Documents<Stored>;
  readonly present: mongo.Document;
  /** The field with the id of the record. */
  readonly idField: string;
  /** A filter for the requested days. */
  readonly during: (query: Pick<BrowseQuery, 'from' | 'until'>) => mongo.Document;
  /** The sort fields for each value of `order`. */
  readonly sortedBy: Readonly<Record<string, readonly string[]>>;
  /** The default order of the group; it ends with `_id`. */
  readonly order: readonly string[];
  /** The indexed time of the last write, if it is not that of the record; never earlier than the latter. */
  readonly touchedField?: string;
  readonly projection?: mongo.Document;
  readonly convert: (document: D) => T;
}

export function indexedPages<D extends Stored, T>(database: MongoDb, group: IndexedGroup<D, T>): Source<T> {
  const { documents, present, idField, projection = INTERNAL } = group;
  return async (caller, query) => {
    const { ids, employeeIds, offset, limit } = query;
    const scope = await employeeScope(database, caller, employeeIds);
    const changed = { ...modifiedSince(query), ...(group.touchedField && modifiedSince(query, group.touchedField)) };
    const filter = { ...scope, ...present, ...group.during(query), ...changed, ...(ids && { [idField]: { $in: [...ids] } }) };
    const count = await documents.countDocuments(filter);
    // A server limits how many documents it skips; beyond the end, there is nothing to query.
    if (offset >= count) return { count, results: [] };
    const found = await documents.find<D>(filter, { projection, sort: sortOf(group, query), skip: offset, limit }).toArray();
    return { count, results: found.map((document) => browsed(group.convert(document), document)) };
  };
}

function sortOf({ sortedBy, order }: IndexedGroup<never, unknown>, query: BrowseQuery): Record<string, 1 | -1> {
  const sort: Record<string, 1 | -1> = {};
  for (const { field, descending } of query.order) {
    for (const path of sortedBy[field] ?? []) sort[path] ??= descending ? -1 : 1;
  }
  for (const path of order) sort[path] ??= 1;
  return sort;
}

/** A filter for records that share a day with the range. */
export function touching(starts: string, ends: string, { from, until }: Pick<BrowseQuery, 'from' | 'until'>): mongo.Document {
  return { ...(until !== undefined && { [starts]: { $lte: until } }), ...(from !== undefined && { [ends]: { $gte: from } }) };
}
