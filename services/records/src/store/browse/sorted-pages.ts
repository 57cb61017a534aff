import { pageRoom } from '@stechuhr/kernel';
import type { MongoDb } from '@stechuhr/mongo';
import { mongo } from 'mongoose';
import { folded, type BrowseQuery, type FieldOrder } from '../../domain/browse.js';
import type { Caller } from '../../domain/caller.js';
import { compareCodePoints, compareNames } from '../../domain/employee-order.js';
import type { DocumentKind } from '../../domain/stored-record.js';
import { documentsOf } from '../collections.js';
import { PRESENT } from '../record-store.js';
import { browsed, INTERNAL, modifiedSince, type Source, type Stored } from './source.js';

/** Master data that is chosen and sorted here, because databases compare names each in their own way. */
export interface SortedGroup<D, T> {
  readonly kind: DocumentKind;
  /** What exists for the caller. */
  readonly visible: (caller: Caller) => mongo.Document;
  /** By these fields, then by id. */
  readonly order: readonly string[];
  /** Further fields that the next two look at. */
  readonly judgedBy?: readonly string[];
  /** What `q` is looked for in. */
  readonly searched?: (document: D) => readonly (string | null)[];
  readonly isArchived?: (document: D) => boolean;
  readonly convert: (document: D) => T;
}

/** Reads of all records only what choosing and sorting need, then those of the page. */
export function sortedPages<D extends Stored, T>(database: MongoDb, group: SortedGroup<D, T>): Source<T> {
  const documents = documentsOf<Stored>(database, group.kind);
  return async (caller, query) => {
    const present = { ...group.visible(caller), ...PRESENT };
    const projection = outlineOf(group, query);
    const outlines = await documents.find<D>({ ...present, ...modifiedSince(query) }, { projection }).toArray();
    const chosen = outlines.filter(chooser(group, query)).sort(comparison(group, query));
    const ids = chosen.slice(query.offset, query.offset + query.limit).map(({ _id }) => _id);
    const read = await readPage<D>(documents.find({ ...present, _id: { $in: ids } }, { projection: INTERNAL, raw: true }));
    const found = new Map(read.map((document) => [document._id, document]));
    return {
      count: chosen.length,
      results: ids.flatMap((id) => found.get(id) ?? []).map((document) => browsed(group.convert(document), document)),
    };
  };
}

/**
 * The documents of a page, which is held in memory as a whole: a thousand accounts may name ten thousand projects each.
 *
 * @param found with `raw: true`, so bytes, although the types of the driver say document
 * @throws AppError `invalid` when they are too large for that
 */
async function readPage<D>(found: AsyncIterable<mongo.Document>): Promise<D[]> {
  const documents: D[] = [];
  const take = pageRoom();
  for await (const raw of found) {
    take((raw as Uint8Array).length);
    documents.push(mongo.BSON.deserialize(raw as Uint8Array) as D);
  }
  return documents;
}

function outlineOf({ order, judgedBy = [] }: SortedGroup<never, unknown>, query: BrowseQuery): mongo.Document {
  const fields = [...order, ...query.order.map(({ field }) => field), ...judgedBy];
  return { _id: 1, ...Object.fromEntries(fields.map((field) => [field, 1])) };
}

function chooser<D extends Stored>({ searched, isArchived }: SortedGroup<D, unknown>, query: BrowseQuery): (document: D) => boolean {
  const { ids, employeeIds, archived, q } = query;
  const wanted = [ids, employeeIds].flatMap((list) => (list === undefined ? [] : [new Set(list)]));
  return (document) =>
    wanted.every((some) => some.has(document._id)) &&
    (archived === undefined || isArchived === undefined || isArchived(document) === archived) &&
    (q === undefined || searched === undefined || folded(searched(document).join('\n')).includes(q));
}

function comparison(group: Pick<SortedGroup<never, unknown>, 'order'>, query: BrowseQuery): (a: Stored, b: Stored) => number {
  const ties = [...group.order, '_id'].map((field): FieldOrder => ({ field, descending: false }));
  const fields = [...query.order, ...ties];
  return (a, b) => {
    for (const { field, descending } of fields) {
      const difference = compare(field, a[field], b[field]);
      if (difference !== 0) return descending ? -difference : difference;
    }
    return 0;
  };
}

/** What people are looked up by; numbers and addresses are the same in every language. */
const NAMES: ReadonlySet<string> = new Set(['last_name', 'first_name', 'name']);

function compare(field: string, a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return (NAMES.has(field) ? compareNames : compareCodePoints)(String(a), String(b));
}
