import type { MongoDb } from '@stechuhr/mongo';
import type { mongo } from 'mongoose';
import type { BrowseQuery } from '../../domain/browse.js';
import type { Documents } from '../collections.js';
import { employeeScope } from './employee-scope.js';
import { browsed, INTERNAL, modifiedSince, type Source, type Stored } from './source.js';

/** A group of records of employees that MongoDB sorts: it compares days and ids in the same way as the service. */
export interface IndexedGroup<D, T> {
  readonly documents: Documents<Stored>;
  readonly present: mongo.Document;
  /** The document field that contains the id of the record. */
  readonly idField: string;
  /** Returns the filter for the requested days. */
  readonly during: (query: Pick<BrowseQuery, 'from' | 'until'>) => mongo.Document;
  /** The document fields by which each field of `order` sorts. */
  readonly sortedBy: Readonly<Record<string, readonly string[]>>;
  /** The default order of the group. It must end with `_id`. */
  readonly order: readonly string[];
  /** The indexed time of change, if it is not that of the record. It is never earlier than the record's own. */
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
    // MongoDB limits how much may be skipped, and an offset beyond the end has no results.
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

/** Returns the filter for records that have at least one day in the range. */
export function touching(starts: string, ends: string, { from, until }: Pick<BrowseQuery, 'from' | 'until'>): mongo.Document {
  return { ...(until !== undefined && { [starts]: { $lte: until } }), ...(from !== undefined && { [ends]: { $gte: from } }) };
}
