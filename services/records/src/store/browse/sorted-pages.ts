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

/** A group of master data that the service filters and sorts itself, because databases differ in how they compare names. */
export interface SortedGroup<D, T> {
  readonly kind: DocumentKind;
  /** Returns the filter for the records that the caller may see. */
  readonly visible: (caller: Caller) => mongo.Document;
  /** The fields by which records are sorted, before the id. */
  readonly order: readonly string[];
  /** The texts in which `q` is searched; `searchedFields` are the document fields that they consist of. */
  readonly searched?: (document: D) => readonly (string | null)[];
  readonly searchedFields?: readonly string[];
  readonly isArchived?: (document: D) => boolean;
  readonly archivedField?: string;
  readonly convert: (document: D) => T;
  /** What is read of a record for brief lists, and the empty values of the fields that are not. */
  readonly brief?: { readonly projection: mongo.Document; readonly empty: object };
}

/** Larger batches: by default, the first batch has only about a hundred documents. */
const RAW = { raw: true, batchSize: 1_000 } as const;
const WHOLE = { projection: INTERNAL, empty: {} };

/**
 * Lists a group. For all records, only the fields for filtering and sorting are read, then the complete records of the page. Records that
 * are requested by id and fit on one page are read completely at once.
 */
export function sortedPages<D extends Stored, T>(database: MongoDb, group: SortedGroup<D, T>): Source<T> {
  const documents = documentsOf<Stored>(database, group.kind);
  return async (caller, query) => {
    const { offset, limit } = query;
    const { projection, empty } = (query.isBrief ? group.brief : undefined) ?? WHOLE;
    const toRecord = (document: D) => browsed(group.convert({ ...empty, ...document }), document);
    const named = namedBy(query);
    // If visibility is itself a list of ids, it replaces the requested ids; these are checked afterwards.
    const present = { ...(named && { _id: { $in: named } }), ...group.visible(caller), ...PRESENT };
    const filter = { ...present, ...modifiedSince(query) };
    const isChosen = chooser(group, query);
    const ordered = comparison(group, query);
    if (named !== undefined && offset === 0 && named.length <= limit) {
      const found = await readPage<D>(documents.find(filter, { projection, raw: true }), isChosen);
      return { count: found.length, results: found.sort(ordered).map(toRecord) };
    }
    const outlines = await readOutlines<D>(documents.find(filter, { projection: outlineOf(group, query), ...RAW }));
    const chosen = outlines.filter(isChosen).sort(ordered);
    const ids = chosen.slice(offset, offset + limit).map(({ _id }) => _id);
    const read = await readPage<D>(documents.find({ ...present, _id: { $in: ids } }, { projection, raw: true }));
    const found = new Map(read.map((document) => [document._id, document]));
    return {
      count: chosen.length,
      results: ids.flatMap((id) => found.get(id) ?? []).map(toRecord),
    };
  };
}

/** Returns the ids that a query requests by one or both parameters. Undefined if it requests no specific ids. */
function namedBy({ ids, employeeIds }: BrowseQuery): string[] | undefined {
  const named = ids ?? employeeIds;
  const both = new Set(employeeIds ?? named);
  return named && [...new Set(named)].filter((id) => both.has(id));
}

/**
 * Reads the documents of a page, which is held in memory: a thousand accounts may list ten thousand projects each.
 *
 * @param found a cursor with `raw: true`
 * @param isChosen whether a document belongs to the page
 * @throws AppError `invalid` if the documents are too large for a page
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

/** Reads raw documents and decodes them together, which costs half as much as decoding by the driver. */
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

/** Fields that are compared by German collation. All others are compared by code points. */
const NAMES: ReadonlySet<string> = new Set(['last_name', 'first_name', 'name']);

function compare(field: string, a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return (NAMES.has(field) ? compareNames : compareCodePoints)(String(a), String(b));
}
