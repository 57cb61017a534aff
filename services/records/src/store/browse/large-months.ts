import { firstDayOfMonth, type EpochDay } from '@stechuhr/worktime';
import type { mongo } from 'mongoose';
import type { BrowseQuery } from '../../domain/browse.js';
import type { Documents } from '../collections.js';
import type { MonthDocument } from '../month-document.js';
import { monthAt } from './month-counts.js';
import { compareRows, eachMonthOf, outlineFields, type MonthOutline, type Row, type Unit } from './month-rows.js';

/**
 * The number of entries that may be held in memory to find those of a page. The months of ten thousand employees have several hundred
 * thousand entries, and more than a process can hold.
 */
export const MAX_ROWS_AT_ONCE = 50_000;

/** A query for the rows of one month. */
export interface LargeMonthQuery {
  readonly unit: Unit;
  readonly query: BrowseQuery;
  /** Selects the documents of the month. */
  readonly filter: mongo.Document;
  readonly ordinal: number;
}

/** The number of entries of each employee on each day of a month. */
interface MonthProfile {
  readonly first: EpochDay;
  readonly count: number;
  readonly byEmployee: ReadonlyMap<string, Uint32Array>;
}

const DAYS = 31;

/** Counts the entries of a month that match the query. The documents are read one after the other, so none of their rows is kept. */
export async function profileOf(months: Documents<MonthDocument>, wanted: LargeMonthQuery): Promise<MonthProfile> {
  const first = firstDayOfMonth(monthAt(wanted.ordinal));
  const byEmployee = new Map<string, Uint32Array>();
  let count = 0;
  for await (const rows of rowsOfEach(months, wanted)) {
    for (const { employeeId, date } of rows) {
      const perDay = byEmployee.get(employeeId) ?? new Uint32Array(DAYS);
      byEmployee.set(employeeId, perDay);
      perDay[date - first] = (perDay[date - first] ?? 0) + 1;
    }
    count += rows.length;
  }
  return { first, count, byEmployee };
}

/** A part of the sorted rows of a month. */
interface Part {
  readonly offset: number;
  readonly limit: number;
  readonly descending: boolean;
}

/** Returns a part of the rows of a month in their order. Only the rows of the employees and days of the part are held in memory. */
export async function rowsWithin(months: Documents<MonthDocument>, wanted: LargeMonthQuery, part: Part): Promise<readonly Row[]> {
  const { places, skip } = placesOf(await profileOf(months, wanted), part);
  const filter = { ...wanted.filter, employee_id: { $in: [...places.keys()] } };
  const found: Row[] = [];
  for await (const rows of rowsOfEach(months, { ...wanted, filter }))
    for (const row of rows) if (places.get(row.employeeId)?.has(row.date) === true) found.push(row);
  return found.sort(compareRows(part.descending)).slice(skip, skip + part.limit);
}

function rowsOfEach(
  months: Documents<MonthDocument>,
  { unit, query, filter }: Pick<LargeMonthQuery, 'unit' | 'query' | 'filter'>,
): AsyncIterable<readonly Row[]> {
  return eachMonthOf(unit, months.find<MonthOutline>(filter, { projection: outlineFields[unit] }), query);
}

interface Places {
  /** The days of each employee on which the part has entries. */
  readonly places: ReadonlyMap<string, ReadonlySet<EpochDay>>;
  /** The number of entries at the first of these places that precede the part. */
  readonly skip: number;
}

/** Finds the employees and days of a part. Rows are sorted by date, then by employee. */
export function placesOf({ first, byEmployee }: Omit<MonthProfile, 'count'>, { offset, limit, descending }: Part): Places {
  const employees = [...byEmployee].sort(([a], [b]) => (a < b ? -1 : 1));
  const places = new Map<string, Set<EpochDay>>();
  let skip = 0;
  let before = 0;
  for (let at = 0; at < DAYS && before < offset + limit; at += 1) {
    const day = descending ? DAYS - 1 - at : at;
    for (const [employeeId, perDay] of employees) {
      const count = perDay[day] ?? 0;
      if (count > 0 && before < offset + limit && before + count > offset) {
        if (places.size === 0) skip = Math.max(0, offset - before);
        places.set(employeeId, (places.get(employeeId) ?? new Set()).add(first + day));
      }
      before += count;
    }
  }
  return { places, skip };
}
