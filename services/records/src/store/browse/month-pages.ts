import { pageRoom } from '@stechuhr/kernel';
import type { MongoDb } from '@stechuhr/mongo';
import { monthOf } from '@stechuhr/worktime';
import type { mongo } from 'mongoose';
import type { BrowsedTimespan, BrowsedWorkday, BrowseQuery } from '../../domain/browse.js';
import type { Caller } from '../../domain/caller.js';
import { collectionOf, type Documents } from '../collections.js';
import type { MonthDocument } from '../month-document.js';
import { employeeScope } from './employee-scope.js';
import { countMonths, monthAt, ordinalOf, rangesByYear, windowOf, type DocumentCount } from './month-counts.js';
import { compareRows, outlineFields, rowsOf, type MonthOutline, type Row, type Unit } from './month-rows.js';
import { browsed, descendingOf, modifiedSince, type Source } from './source.js';
import { bytesOf, toTimespan, toWorkday, type StoredDay, type StoredMonthDays } from './workday-documents.js';

const countFields = { workdays: 'workday_count', timespans: 'timespan_count' } as const;
const idPaths = { workdays: 'workdays.id', timespans: 'workdays.timespans.id' } as const;

/**
 * Lists workdays and timespans, which are stored inside months, by date over all employees. Each document stores the number of its entries,
 * so that counting reads only an index. The documents are read only for the months of the page and for months that lie partly in the range,
 * at first only ids and dates.
 */
export function monthPages(database: MongoDb): { readonly workdays: Source<BrowsedWorkday>; readonly timespans: Source<BrowsedTimespan> } {
  const months = collectionOf<MonthDocument>(database, 'workmonths');
  const rowsFor = (unit: Unit) => async (caller: Caller, query: BrowseQuery) => {
    const scope = await employeeScope(database, caller, query.employeeIds);
    return query.ids === undefined ? pageOfAll(months, scope, { unit, query }) : pageOfNamed(months, scope, { unit, query });
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
 * Lists entries by id. They are few, so all of them are read. Workdays are found by an index. Timespans are too many for an index, so the
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
  const found = await months.find<MonthOutline>(filter, { projection: outlineFields[unit] }).toArray();
  const rows = rowsOf(unit, found, query).sort(compareRows(descendingOf(query.order, 'date')));
  return { count: rows.length, rows: rows.slice(query.offset, query.offset + query.limit) };
}

function yearsOf({ from, until }: BrowseQuery): mongo.Document {
  const year = { ...(from !== undefined && { $gte: monthOf(from).year }), ...(until !== undefined && { $lte: monthOf(until).year }) };
  return Object.keys(year).length === 0 ? {} : { year };
}

async function pageOfAll(months: Documents<MonthDocument>, scope: mongo.Document, unitQuery: UnitQuery): Promise<RowPage> {
  const { query } = unitQuery;
  const descending = descendingOf(query.order, 'date');
  const cut = new Map<number, Row[]>();
  const counted: { ordinal: number; count: number }[] = [];
  for (const { ordinal, count } of countMonths(await readCounts(months, scope, unitQuery), query)) {
    const rows = count === undefined ? await readRows(months, scope, { ...unitQuery, ordinals: [ordinal] }) : [];
    // At most two months lie partly in the range, so their rows are kept. With `modifiedSince` all months are read, so only their counts
    // are kept.
    if (count === undefined && query.modifiedSince === undefined) cut.set(ordinal, rows);
    counted.push({ ordinal, count: count ?? rows.length });
  }
  const { count, touched, skip } = windowOf(descending ? counted.reverse() : counted, query.offset, query.limit);
  const [only] = touched;
  const known = only !== undefined && touched.length === 1 ? cut.get(only) : undefined;
  const rows = known ?? (await readRows(months, scope, { ...unitQuery, ordinals: touched }));
  return { count, rows: rows.sort(compareRows(descending)).slice(skip, skip + query.limit) };
}

async function readCounts(months: Documents<MonthDocument>, scope: mongo.Document, { unit, query }: UnitQuery): Promise<DocumentCount[]> {
  const field = countFields[unit];
  const [first, last] = [query.from, query.until].map((day) => (day === undefined ? undefined : ordinalOf(monthOf(day))));
  const year = { $gte: first === undefined ? 0 : monthAt(first).year, $lte: last === undefined ? 9999 : monthAt(last).year };
  const found = await months
    // Requests no other fields, so that the index alone answers. The counts of a deleted month are 0.
    .find<MonthDocument>({ ...scope, year, ...touchedSince(query) }, { projection: { _id: 0, year: 1, month: 1, [field]: 1 } })
    .toArray();
  return (
    found
      // No index knows how many of the entries changed.
      .map(({ year, month, [field]: count }) => ({ year, month, count: query.modifiedSince === undefined ? count : undefined }))
      .filter((month) => (first === undefined || ordinalOf(month) >= first) && (last === undefined || ordinalOf(month) <= last))
  );
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
      const month = { $gte: first, $lte: last };
      return months
        .find<MonthOutline>({ ...scope, year, month, ...touchedSince(query), deleted_at: null }, { projection: outlineFields[unit] })
        .toArray();
    }),
  );
  return rowsOf(unit, found.flat(), query);
}
