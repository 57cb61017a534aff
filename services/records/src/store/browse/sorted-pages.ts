import { compareCodePoints, pageRoom } from '@stechuhr/kernel';
import { decodeRaw, type MongoDb } from '@stechuhr/mongo';
import type { mongo } from 'mongoose';
import { folded, type BrowseQuery, type FieldOrder } from '../../domain/browse.js';
import type { Caller } from '../../domain/caller.js';
import { compareNames } from '../../domain/employee-order.js';
import type { DocumentKind } from '../../domain/stored-record.js';
import { documentsOf } from '../collections.js';
import { PRESENT } from '../record-store.js';
import { browsed, INTERNAL, modifiedSince, type Source, type Stored } from './source.js';

/** Master data, which is filtered and sorted here, because databases differ in how they compare names. */
export interface SortedGroup<D, T> {
  readonly kind: DocumentKind;
  /** A filter for what exists for the caller. */
  readonly visible: (caller: Caller) => mongo.Document;
  /** Sort fields; records that are equal in all of them are ordered by id. */
  readonly order: readonly string[];
  /** The texts that `q` is searched in, and the fields that they are derived from. */
  readonly searched?: (document: D) => readonly (string | null)[];
  readonly searchedFields?: readonly string[];
  readonly isArchived?: (document: D) => boolean;
  readonly archivedField?: string;
  readonly convert: (document: D) => T;
}

/** By default, the driver would request only a hundred documents in the first batch. */
const RAW = { raw: true, batchSize: 1_000 } as const;

/**
 * Reads the fields needed for filtering and sorting from all records, and then the records of the page. If records are requested by id and fit on a
 * page, they are read directly.
 */
export function sortedPages<D extends Stored, T>(database: MongoDb, group: SortedGroup<D, T>): Source<T> {
  const documents = documentsOf<Stored>(database, group.kind);
  return async (caller, query) => {
    const { offset, limit } = query;
    const named = namedBy(query);
    // If the caller may see certain ids only, these decide what is read.
    const present = { ...(named && { _id: { $in: named } }), ...group.visible(caller), ...PRESENT };
    const filter = { ...present, ...modifiedSince(query) };
    const isChosen = chooser(group, query);
    const ordered = comparison(group, query);
    if (named !== undefined && offset === 0 && named.length <= limit) {
      const found = await readPage<D>(documents.find(filter, { projection: INTERNAL, raw: true }), isChosen);
      return { count: found.length, results: found.sort(ordered).map((document) => browsed(group.convert(document), document)) };
    }
    const outlines = await readOutlines<D>(documents.find(filter, { projection: outlineOf(group, query), ...RAW }));
    const chosen = outlines.filter(isChosen).sort(ordered);
    const ids = chosen.slice(offset, offset + limit).map(({ _id }) => _id);
    const read = await readPage<D>(documents.find({ ...present, _id: { $in: ids } }, { projection: INTERNAL, raw: true }));
    const found = new Map(read.map((document) => [document._id, document]));
    return {
      count: chosen.length,
      results: ids.flatMap((id) => found.get(id) ?? []).map((document) => browsed(group.convert(document), document)),
    };
  };
}

/** The ids that a query requests through either parameter or both; undefined if it does not name any. */
function namedBy({ ids, employeeIds }: BrowseQuery): string[] | undefined {
  const named = ids ?? employeeIds;
  const both = new Set(employeeIds ?? named);
  return named && [...new Set(named)].filter((id) => both.has(id));
}

/**
 * Reads the documents of a page, which is kept in memory as a whole: a thousand accounts may refer to ten thousand projects each.
 * @param found with `raw: true`
 * @param isChosen whether a document belongs to the page
 * @throws AppError `invalid` if they are too large
 */
async function readPage<D>(found: AsyncIterable<mongo.Document>, isChosen: (document: D) => boolean = () => true): Promise<D[]> {
  const documents: D[] = [];
  const take = pageRoom();
  for await (const raw of found) {
    const document = decodeRaw<D>(raw);
    if (!isChosen(document)) continue;
    take((raw as Uint8Array).length);
    documents.push(document);
  }
  return documents;
}

/** Reading raw bytes and decoding them at once takes half the time of the driver's own documents. */
async function readOutlines<D>(found: mongo.FindCursor<mongo.Document>): Promise<D[]> {
  return (await found.toArray()).map(decodeRaw<D>);
}

/** Only the needed fields, since every field has to be decoded for each record of the group. */
function outlineOf({ order, searchedFields, archivedField }: SortedGroup<never, unknown>, query: BrowseQuery): mongo.Document {
  const chosenBy = [
    ...(query.q === undefined ? [] : (searchedFields ?? [])),
    ...(query.archived === undefined || archivedField === undefined ? [] : [archivedField]),
  ];
  const fields = [...order, ...query.order.map(({ field }) => field), ...chosenBy];
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

/** Fields of names; they are compared by German collation, whereas numbers and addresses are the same in every language. */
const NAMES: ReadonlySet<string> = new Set(['last_name', 'first_name', 'name']);

function compare(field: string, a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return (NAMES.has(field) ? compareNames : compareCodePoints)(String(a), String(b));
}
