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
    return query.ids === undefined ? pageOfAll(months, scope, { unit, query, maxRowsAtOnce }) : pageOfNamed(months, scope, { unit, query });
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

interface UnitQuery {
  readonly unit: Unit;
  readonly query: BrowseQuery;
}

interface RowPage {
  readonly count: number;
  readonly rows: readonly Row[];
}

/**
 * Lists entries by id. They are few, so all of them are kept; their months are read one after the other. Workdays are found by an index. Timespans are too many for an index, so the
 * institution's months within the requested years are scanned.
 */
async function pageOfNamed(months: Documents<MonthDocument>, scope: mongo.Document, { unit, query }: UnitQuery): Promise<RowPage> {
  const filter = {
    [idPaths[unit]]: { $in: [...(query.ids ?? [])] },
    ...scope,
    ...yearsOf(query),
    ...touchedSince(query),
    deleted_at: null,
  };
  const found = await readRowsOf(unit, months.find<MonthOutline>(filter, { projection: outlineFields[unit] }), query);
  const rows = newest(found).sort(compareRows(descendingOf(query.order, 'date')));
  return { count: rows.length, rows: rows.slice(query.offset, query.offset + query.limit) };
}

function yearsOf({ from, until }: BrowseQuery): mongo.Document {
  const year = { ...(from !== undefined && { $gte: monthOf(from).year }), ...(until !== undefined && { $lte: monthOf(until).year }) };
  return Object.keys(year).length === 0 ? {} : { year };
}

interface BoundedQuery extends UnitQuery {
  /** See {@link MAX_ROWS_AT_ONCE}. */
  readonly maxRowsAtOnce: number;
}

async function pageOfAll(
  months: Documents<MonthDocument>,
  scope: mongo.Document,
  { maxRowsAtOnce, ...unitQuery }: BoundedQuery,
): Promise<RowPage> {
  const { query } = unitQuery;
  const descending = descendingOf(query.order, 'date');
  const cut = new Map<number, Row[]>();
  const large = new Set<number>();
  const counted: { ordinal: number; count: number }[] = [];
  for (const { ordinal, count, stored } of await countMonths(readCounts(months, scope, unitQuery), query)) {
    if (stored > maxRowsAtOnce) large.add(ordinal);
    if (count !== undefined) counted.push({ ordinal, count });
    else if (large.has(ordinal)) counted.push({ ordinal, count: (await profileOf(months, largeMonth(scope, unitQuery, ordinal))).count });
    else {
      const rows = await readRows(months, scope, { ...unitQuery, ordinals: [ordinal] });
      // At most two months lie partly in the range, so their rows are kept. With `modifiedSince` all months are read, so only their counts
      // are kept.
      if (query.modifiedSince === undefined) cut.set(ordinal, rows);
      counted.push({ ordinal, count: rows.length });
    }
  }
  const { count, touched, skip } = windowOf(descending ? counted.reverse() : counted, query.offset, query.limit);
  if (touched.some((ordinal) => large.has(ordinal)))
    return { count, rows: await rowsOfLarge(months, scope, { ...unitQuery, touched, large, skip }) };
  const [only] = touched;
  const known = only !== undefined && touched.length === 1 ? cut.get(only) : undefined;
  const rows = known ?? (await readRows(months, scope, { ...unitQuery, ordinals: touched }));
  return { count, rows: rows.sort(compareRows(descending)).slice(skip, skip + query.limit) };
}

interface LargePage extends UnitQuery {
  readonly touched: readonly number[];
  readonly large: ReadonlySet<number>;
  readonly skip: number;
}

/** Returns the rows of a page with entries of large months, month by month. */
async function rowsOfLarge(
  months: Documents<MonthDocument>,
  scope: mongo.Document,
  { touched, large, skip, ...unitQuery }: LargePage,
): Promise<readonly Row[]> {
  const { query } = unitQuery;
  const descending = descendingOf(query.order, 'date');
  const rows: Row[] = [];
  for (const [index, ordinal] of touched.entries()) {
    const part = { offset: index === 0 ? skip : 0, limit: query.limit - rows.length, descending };
    const own = large.has(ordinal)
      ? await rowsWithin(months, largeMonth(scope, unitQuery, ordinal), part)
      : (await readRows(months, scope, { ...unitQuery, ordinals: [ordinal] }))
          .sort(compareRows(descending))
          .slice(part.offset, part.offset + part.limit);
    for (const row of own) rows.push(row);
  }
  return rows;
}

function largeMonth(scope: mongo.Document, { unit, query }: UnitQuery, ordinal: number): LargeMonthQuery {
  return { unit, query, ordinal, filter: { ...scope, ...monthAt(ordinal), ...touchedSince(query), deleted_at: null } };
}

/** Reads the stored counts one after the other: there is one for each employee and month. */
async function* readCounts(
  months: Documents<MonthDocument>,
  scope: mongo.Document,
  { unit, query }: UnitQuery,
): AsyncGenerator<DocumentCount, void, undefined> {
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

interface MonthRowsQuery extends UnitQuery {
  readonly ordinals: readonly number[];
}

/**
 * Reads the rows of months, including months of the same year between them. There is one query for each year, because an index scans one
 * range.
 */
async function readRows(
  months: Documents<MonthDocument>,
  scope: mongo.Document,
  { unit, query, ordinals }: MonthRowsQuery,
): Promise<Row[]> {
  const found = await Promise.all(
    rangesByYear(ordinals).map(({ year, first, last }) => {
      const filter = { ...scope, year, month: { $gte: first, $lte: last }, ...touchedSince(query), deleted_at: null };
      return readRowsOf(unit, months.find<MonthOutline>(filter, { projection: outlineFields[unit] }), query);
    }),
  );
  return newest(found.flat());
}
