import { firstDayOfMonth, lastDayOfMonth, type YearMonth } from '@stechuhr/worktime';
import type { BrowseQuery } from '../../domain/browse.js';

/** A month of all employees together; months are ordered by their ordinals. */
export interface CountedMonth {
  readonly ordinal: number;
  /** Undefined where its rows have to be read. */
  readonly count: number | undefined;
}

/** The stored number of entries of one document; documents of older versions have none. */
export interface DocumentCount extends YearMonth {
  readonly count: number | null | undefined;
}

type Range = Pick<BrowseQuery, 'from' | 'until'>;

export function ordinalOf({ year, month }: YearMonth): number {
  return year * 12 + month - 1;
}

export function monthAt(ordinal: number): YearMonth {
  return { year: Math.floor(ordinal / 12), month: (ordinal % 12) + 1 };
}

/** Sums up the counts of the documents of each month. A month that the range cuts has to be read. */
export function countMonths(documents: Iterable<DocumentCount>, range: Range): CountedMonth[] {
  const counts = new Map<number, number | undefined>();
  for (const { year, month, count } of documents) {
    const ordinal = ordinalOf({ year, month });
    const known = counts.has(ordinal) ? counts.get(ordinal) : 0;
    counts.set(ordinal, known === undefined || typeof count !== 'number' ? undefined : known + count);
  }
  return [...counts]
    .map(([ordinal, count]) => ({ ordinal, count: isCut(ordinal, range) ? undefined : count }))
    .sort((a, b) => a.ordinal - b.ordinal);
}

function isCut(ordinal: number, { from, until }: Range): boolean {
  const month = monthAt(ordinal);
  return (from !== undefined && from > firstDayOfMonth(month)) || (until !== undefined && until < lastDayOfMonth(month));
}

export interface Window {
  /** Of all months. */
  readonly count: number;
  /** The months that the page touches, in the order of the list. */
  readonly touched: readonly number[];
  /** Rows of the first month before the page. */
  readonly skip: number;
}

/** The position of a page in months that are in the order of the list. */
export function windowOf(months: readonly { readonly ordinal: number; readonly count: number }[], offset: number, limit: number): Window {
  let before = 0;
  let skip = 0;
  const touched: number[] = [];
  for (const { ordinal, count } of months) {
    if (count > 0 && before < offset + limit && before + count > offset) {
      if (touched.length === 0) skip = Math.max(0, offset - before);
      touched.push(ordinal);
    }
    before += count;
  }
  return { count: before, touched, skip };
}

/** Months of one year. */
interface MonthsOfYear {
  readonly year: number;
  readonly first: number;
  readonly last: number;
}

/** One range of months a year, as an index takes it: years without any, of which there may be hundreds between two others, are left out. */
export function rangesByYear(ordinals: readonly number[]): MonthsOfYear[] {
  const byYear = Map.groupBy(ordinals.map(monthAt), ({ year }) => year);
  return Array.from(byYear, ([year, ofYear]) => {
    const months = ofYear.map(({ month }) => month);
    return { year, first: Math.min(...months), last: Math.max(...months) };
  });
}
