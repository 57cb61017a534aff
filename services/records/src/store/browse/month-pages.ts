import { pageRoom } from '@stechuhr/kernel';
import type { MongoDb } from '@stechuhr/mongo';
import { monthOf } from '@stechuhr/worktime';
import type { mongo } from 'mongoose';
import type { BrowsedTimespan, BrowsedWorkday, BrowseQuery } from '../../domain/browse.js';
import type { Caller } from '../../domain/caller.js';
import { collectionOf, type Documents } from '../collections.js';
import type { MonthDocument } from '../month-document.js';
import { employeeScope } from './employee-scope.js';
import { MAX_ROWS_AT_ONCE, profileOf, rowsWithin, type LargeMonthQuery } from './large-months.js';
import { countMonths, monthAt, ordinalOf, rangesByYear, windowOf, type DocumentCount } from './month-counts.js';
import { compareRows, newest, outlineFields, readRowsOf, type MonthOutline, type Row, type Unit } from './month-rows.js';
import { browsed, descendingOf, modifiedSince, type Source } from './source.js';
import { bytesOf, toTimespan, toWorkday, type StoredDay, type StoredMonthDays } from './workday-documents.js';

const countFields = { workdays: 'workday_count', timespans: 'timespan_count' } as const;
const idPaths = { workdays: 'workdays.id', timespans: 'workdays.timespans.id' } as const;

/**
 * Lists workdays and timespans, which are stored inside months, by date over all employees. Each document stores the number of its entries,
 * so that counting reads only an index. The documents are read only for the months of the page and for months that lie partly in the range,
 * at first only ids and dates.
 */
export function monthPages(
  database: MongoDb,
  maxRowsAtOnce = MAX_ROWS_AT_ONCE,
): { readonly workdays: Source<BrowsedWorkday>; readonly timespans: Source<BrowsedTimespan> } {
  const months = collectionOf<MonthDocument>(database, 'workmonths');
  const rowsFor = (unit: Unit) => async (caller: Caller, query: BrowseQuery) => {
    const scope = await employeeScope(database, caller, query.employeeIds);
    const listing: Listing = { months, scope, unit, query, descending: descendingOf(query.order, 'date') };
    return query.ids === undefined ? pageOfAll(listing, maxRowsAtOnce) : pageOfNamed(listing, query.ids);
  };
  const daysOf = async ({ institutionId }: Caller, rows: readonly Row[]) => {
    const ids = [...new Set(rows.map(({ documentId }) => documentId))];
    const filter = { _id: { $in: ids }, institution_id: institutionId };
    return daysAmong(new Set(rows.map(keyOf)), months.find<StoredMonthDays>(filter, { projection: { employee_id: 1, workdays: 1 } }));
  };
  const source =
    <T>(unit: Unit, convert: (row: Row, day: StoredDay) => T | undefined): Source<T> =>
    async (caller, query) => {
      const { count, rows } = await rowsFor(unit)(caller, query);
      const days = await daysOf(caller, rows);
      const convertRow = (row: Row) => {
        // The entry may have been removed after its row was read.
        const day = days.get(keyOf(row));
        const record = day && convert(row, day);
        return day && record ? [browsed(record, day)] : [];
      };
      return { count, results: rows.flatMap(convertRow) };
    };
  return {
    workdays: source('workdays', toWorkday),
    timespans: source('timespans', toTimespan),
  };
}

function keyOf({ documentId, workdayId }: Pick<Row, 'documentId' | 'workdayId'>): string {
  return `${documentId}/${workdayId}`;
}

/**
 * Reads the workdays of a page. They may be in as many months, so only the requested workdays of each month are kept.
 *
 * @throws AppError `invalid` if they are too large for a page
 */
async function daysAmong(wanted: ReadonlySet<string>, months: AsyncIterable<StoredMonthDays>): Promise<Map<string, StoredDay>> {
  const days = new Map<string, StoredDay>();
  const take = pageRoom();
  for await (const { _id: documentId, workdays = [] } of months) {
    for (const day of workdays) {
      const key = keyOf({ documentId, workdayId: day.id });
      if (!wanted.has(key)) continue;
      take(bytesOf(day));
      days.set(key, day);
    }
  }
  return days;
}

/** The entries that a page is taken from. */
interface Listing {
  readonly months: Documents<MonthDocument>;
  /** Selects the months of the employees. */
  readonly scope: mongo.Document;
  readonly unit: Unit;
  readonly query: BrowseQuery;
  /** Whether the latest entries come first. */
  readonly descending: boolean;
}

interface RowPage {
  readonly count: number;
  readonly rows: readonly Row[];
}

/**
 * Lists entries by id. They are few, so all of them are kept; their months are read one after the other. Workdays are found by an index.
 * Timespans are too many for an index, so the institution's months within the requested years are scanned.
 */
async function pageOfNamed({ months, scope, unit, query, descending }: Listing, ids: readonly string[]): Promise<RowPage> {
  const filter = { [idPaths[unit]]: { $in: [...ids] }, ...scope, ...yearsOf(query), ...touchedSince(query), deleted_at: null };
  const found = await readRowsOf(unit, months.find<MonthOutline>(filter, { projection: outlineFields[unit] }), query);
  const rows = newest(found).sort(compareRows(descending));
  return { count: rows.length, rows: rows.slice(query.offset, query.offset + query.limit) };
}

function yearsOf({ from, until }: BrowseQuery): mongo.Document {
  const year = { ...(from !== undefined && { $gte: monthOf(from).year }), ...(until !== undefined && { $lte: monthOf(until).year }) };
  return Object.keys(year).length === 0 ? {} : { year };
}

/**
 * Lists all entries of the range: first each month is counted, then the months of the page are read.
 * @param maxRowsAtOnce see {@link MAX_ROWS_AT_ONCE}
 */
async function pageOfAll(listing: Listing, maxRowsAtOnce: number): Promise<RowPage> {
  const { query, descending } = listing;
  const { counted, known, large } = await countEach(listing, maxRowsAtOnce);
  const { count, touched, skip } = windowOf(descending ? counted.toReversed() : counted, query.offset, query.limit);
  if (touched.some((ordinal) => large.has(ordinal))) return { count, rows: await rowsOfLarge(listing, { touched, large, skip }) };
  const [only] = touched;
  const rows = (only !== undefined && touched.length === 1 ? known.get(only) : undefined) ?? (await readRows(listing, touched));
  return { count, rows: rows.sort(compareRows(descending)).slice(skip, skip + query.limit) };
}

interface Counts {
  /** The number of entries in the range of each month, oldest first. */
  readonly counted: readonly { readonly ordinal: number; readonly count: number }[];
  /** The rows of months that had to be read to count them. */
  readonly known: ReadonlyMap<number, Row[]>;
  /** The months with more entries than may be read together. */
  readonly large: ReadonlySet<number>;
}

async function countEach(listing: Listing, maxRowsAtOnce: number): Promise<Counts> {
  const { months, query } = listing;
  const counted: { ordinal: number; count: number }[] = [];
  const known = new Map<number, Row[]>();
  const large = new Set<number>();
  for (const { ordinal, count, stored } of await countMonths(readCounts(listing), query)) {
    if (stored > maxRowsAtOnce) large.add(ordinal);
    if (count !== undefined) counted.push({ ordinal, count });
    else if (large.has(ordinal)) counted.push({ ordinal, count: (await profileOf(months, largeMonth(listing, ordinal))).count });
    else {
      const rows = await readRows(listing, [ordinal]);
      // At most two months lie partly in the range, so their rows are kept. With `modifiedSince` all months are read, so only their counts
      // are kept.
      if (query.modifiedSince === undefined) known.set(ordinal, rows);
      counted.push({ ordinal, count: rows.length });
    }
  }
  return { counted, known, large };
}

interface LargePage {
  readonly touched: readonly number[];
  readonly large: ReadonlySet<number>;
  readonly skip: number;
}

/** Returns the rows of a page with entries of large months, month by month. */
async function rowsOfLarge(listing: Listing, { touched, large, skip }: LargePage): Promise<readonly Row[]> {
  const { months, query, descending } = listing;
  const rows: Row[] = [];
  for (const [index, ordinal] of touched.entries()) {
    const part = { offset: index === 0 ? skip : 0, limit: query.limit - rows.length, descending };
    const own = large.has(ordinal)
      ? await rowsWithin(months, largeMonth(listing, ordinal), part)
      : (await readRows(listing, [ordinal])).sort(compareRows(descending)).slice(part.offset, part.offset + part.limit);
    for (const row of own) rows.push(row);
  }
  return rows;
}

function largeMonth({ scope, unit, query }: Listing, ordinal: number): LargeMonthQuery {
  return { unit, query, ordinal, filter: { ...scope, ...monthAt(ordinal), ...touchedSince(query), deleted_at: null } };
}

/** Reads the stored counts one after the other: there is one for each employee and month. */
async function* readCounts({ months, scope, unit, query }: Listing): AsyncGenerator<DocumentCount, void, undefined> {
  const field = countFields[unit];
  const [first, last] = [query.from, query.until].map((day) => (day === undefined ? undefined : ordinalOf(monthOf(day))));
  const year = { $gte: first === undefined ? 0 : monthAt(first).year, $lte: last === undefined ? 9999 : monthAt(last).year };
  // Requests no other fields, so that the index alone answers. The counts of a deleted month are 0.
  const projection = { _id: 0, year: 1, month: 1, [field]: 1 };
  for await (const { [field]: count, ...month } of months.find<MonthDocument>({ ...scope, year, ...touchedSince(query) }, { projection })) {
    const ordinal = ordinalOf(month);
    if ((first === undefined || ordinal >= first) && (last === undefined || ordinal <= last)) yield { ...month, count };
  }
}

/** Selects the months in which anything was changed since the requested time. */
function touchedSince(query: BrowseQuery): mongo.Document {
  return modifiedSince(query, 'touched_at');
}

/**
 * Reads the rows of months, including months of the same year between them. There is one query for each year, because an index scans one
 * range.
 */
async function readRows({ months, scope, unit, query }: Listing, ordinals: readonly number[]): Promise<Row[]> {
  const found = await Promise.all(
    rangesByYear(ordinals).map(({ year, first, last }) => {
      const filter = { ...scope, year, month: { $gte: first, $lte: last }, ...touchedSince(query), deleted_at: null };
      return readRowsOf(unit, months.find<MonthOutline>(filter, { projection: outlineFields[unit] }), query);
    }),
  );
  return newest(found.flat());
}
