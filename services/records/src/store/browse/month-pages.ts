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
 * Pages of records that are stored in month documents, by date over all employees. Each document stores the number of its entries, so that counting
 * reads only an index. Only the months that the page includes, and those that the range partly covers, are read: first ids and dates, then the
 * entries of the page.
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
        // It may have been removed since its row was read.
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
 * The workdays of a page, each of which may be in another month; of each month, only the requested ones are kept in memory.
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

interface Asked {
  readonly unit: Unit;
  readonly query: BrowseQuery;
}

interface RowPage {
  readonly count: number;
  readonly rows: readonly Row[];
}

/**
 * A page of records with given ids, which are few, so all of them are read. Workdays are found through an index. There are too many timespans to
 * index, so the months of the institution within the requested days are searched.
 */
async function pageOfNamed(months: Documents<MonthDocument>, scope: mongo.Document, { unit, query }: Asked): Promise<RowPage> {
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

async function pageOfAll(months: Documents<MonthDocument>, scope: mongo.Document, asked: Asked): Promise<RowPage> {
  const { query } = asked;
  const descending = descendingOf(query.order, 'date');
  const cut = new Map<number, Row[]>();
  const counted: { ordinal: number; count: number }[] = [];
  for (const { ordinal, count } of countMonths(await readCounts(months, scope, asked), query)) {
    const rows = count === undefined ? await readRows(months, scope, { ...asked, ordinals: [ordinal] }) : [];
    // The range partly covers two months at most. With `modifiedSince` there may be many, of which only the counts are kept.
    if (count === undefined && query.modifiedSince === undefined) cut.set(ordinal, rows);
    counted.push({ ordinal, count: count ?? rows.length });
  }
  const { count, touched, skip } = windowOf(descending ? counted.reverse() : counted, query.offset, query.limit);
  const [only] = touched;
  const known = only !== undefined && touched.length === 1 ? cut.get(only) : undefined;
  const rows = known ?? (await readRows(months, scope, { ...asked, ordinals: touched }));
  return { count, rows: rows.sort(compareRows(descending)).slice(skip, skip + query.limit) };
}

async function readCounts(months: Documents<MonthDocument>, scope: mongo.Document, { unit, query }: Asked): Promise<DocumentCount[]> {
  const field = countFields[unit];
  const [first, last] = [query.from, query.until].map((day) => (day === undefined ? undefined : ordinalOf(monthOf(day))));
  const year = { $gte: first === undefined ? 0 : monthAt(first).year, $lte: last === undefined ? 9999 : monthAt(last).year };
  const found = await months
    // No other fields, so that the index alone can answer. A deleted month has the count 0.
    .find<MonthDocument>({ ...scope, year, ...touchedSince(query) }, { projection: { _id: 0, year: 1, month: 1, [field]: 1 } })
    .toArray();
  return (
    found
      // The index does not know how many of them changed.
      .map(({ year, month, [field]: count }) => ({ year, month, count: query.modifiedSince === undefined ? count : undefined }))
      .filter((month) => (first === undefined || ordinalOf(month) >= first) && (last === undefined || ordinalOf(month) <= last))
  );
}

/** A filter for months with a change since then. */
function touchedSince(query: BrowseQuery): mongo.Document {
  return modifiedSince(query, 'touched_at');
}

interface AskedMonths extends Asked {
  readonly ordinals: readonly number[];
}

/**
 * Reads the rows of some months, including other months between them in the same year: an index can use one range, so there is one query per year.
 */
async function readRows(months: Documents<MonthDocument>, scope: mongo.Document, { unit, query, ordinals }: AskedMonths): Promise<Row[]> {
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
