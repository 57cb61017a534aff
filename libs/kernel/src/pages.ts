import { AppError } from './app-error.js';

/** Which part of a list is requested. */
export interface PageRequest {
  /** 1 to 1000. */
  readonly limit: number;
  /** 0 or more. */
  readonly offset: number;
}

/** One page of a list and the total number of entries. */
export interface Page<T> {
  readonly count: number;
  readonly results: readonly T[];
}

/** Entries per page: the default limit, and the maximum. */
export const PAGE_SIZE = { default: 100, max: 1000 } as const;
/** Limit for the records of a page, which processes hold in memory; far more than a thousand usual records. */
const MAX_PAGE_BYTES = 16 * 1024 * 1024;
const DIGITS = /^[+-]?[0-9]+$/;

/**
 * Reads `limit` and `offset` of a query (docs/rules/api.md#paging). A limit that is missing, not positive or not a number becomes 100, above 1000 it
 * becomes 1000; an invalid offset becomes 0. There are no errors. An offset too large for an integer is beyond every end.
 */
export function pageOf(limit: string | undefined, offset: string | undefined): PageRequest {
  const size = integer(limit);
  const start = integer(offset);
  return {
    limit: size === undefined || size <= 0 ? PAGE_SIZE.default : Math.min(size, PAGE_SIZE.max),
    offset: start === undefined || start < 0 ? 0 : start,
  };
}

/**
 * Limits the size of a page.
 * @returns has to be called with the size of each record before the next one is read; throws AppError `invalid` when the page is too large
 */
export function pageRoom(): (bytes: number) => void {
  let left = MAX_PAGE_BYTES;
  return (bytes) => {
    left -= bytes;
    if (left < 0) throw AppError.invalid({ limit: [`The page has more than ${String(MAX_PAGE_BYTES)} bytes; ask for fewer entries.`] });
  };
}

function integer(text: string | undefined): number | undefined {
  if (text === undefined || !DIGITS.test(text)) return undefined;
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
}
