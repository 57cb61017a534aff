import { firstDayOfMonth, lastDayOfMonth, type YearMonth } from '@stechuhr/worktime';
import type { BrowseQuery } from '../../domain/browse.js';

/** The number of entries of all employees in one month. */
export interface CountedMonth {
  readonly ordinal: number;
  /** Undefined if its rows have to be read. */
  readonly count: number | undefined;
  /** The stored number of entries, whether they match the query or not. Documents of older versions, which have none, are left out. */
  readonly stored: number;
}

/** The stored number of entries of one document. Documents of older versions have none. */
export interface DocumentCount extends YearMonth {
  readonly count: number | null | undefined;
}

type Range = Partial<Pick<BrowseQuery, 'from' | 'until' | 'modifiedSince'>>;

export function ordinalOf({ year, month }: YearMonth): number {
  return year * 12 + month - 1;
}

export function monthAt(ordinal: number): YearMonth {
  return { year: Math.floor(ordinal / 12), month: (ordinal % 12) + 1 };
}

/**
 * Sums up the counts of the documents of each month. A month that lies only partly in the range gets no count, because its rows have to be
 * read; with `modifiedSince` no month does, because no index knows how many of the entries changed.
 */
export async function countMonths(
  documents: AsyncIterable<DocumentCount> | Iterable<DocumentCount>,
  range: Range,
): Promise<CountedMonth[]> {
  const months = new Map<number, { stored: number; isKnown: boolean }>();
  for await (const { year, month, count } of documents) {
    const ordinal = ordinalOf({ year, month });
    const counted = months.get(ordinal) ?? { stored: 0, isKnown: true };
    months.set(ordinal, counted);
    if (typeof count === 'number') counted.stored += count;
    else counted.isKnown = false;
  }
  return Array.from(months, ([ordinal, { stored, isKnown }]) => {
    const isSufficient = isKnown && range.modifiedSince === undefined && !isCut(ordinal, range);
    return { ordinal, count: isSufficient ? stored : undefined, stored };
  }).sort((a, b) => a.ordinal - b.ordinal);
}

function isCut(ordinal: number, { from, until }: Range): boolean {
  const month = monthAt(ordinal);
  return (from !== undefined && from > firstDayOfMonth(month)) || (until !== undefined && until < lastDayOfMonth(month));
}

export interface Window {
  /** The number of entries in all months. */
  readonly count: number;
  /** The months that have entries on the page, in the order of the list. */
  readonly touched: readonly number[];
  /** The number of rows of the first month that precede the page. */
  readonly skip: number;
}

/** Returns the position of a page in months that are in the order of the list. */
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

/** A range of months in one year. */
interface MonthsOfYear {
  readonly year: number;
  readonly first: number;
  readonly last: number;
}

/**
 * Returns one range of months for each year, because an index scans one range. Years without months are left out; there may be hundreds of
 * them between two others.
 */
export function rangesByYear(ordinals: readonly number[]): MonthsOfYear[] {
  const byYear = Map.groupBy(ordinals.map(monthAt), ({ year }) => year);
  return Array.from(byYear, ([year, ofYear]) => {
    const months = ofYear.map(({ month }) => month);
    return { year, first: Math.min(...months), last: Math.max(...months) };
  });
}
