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

/** Number of entries of a page: the default, and the maximum. */
export const PAGE_SIZE = { default: 100, max: 1000 } as const;
/** Maximum size of the records of a page, which are held in memory, in bytes; far more than a thousand ordinary records need. */
const MAX_PAGE_BYTES = 16 * 1024 * 1024;
const DIGITS = /^[+-]?[0-9]+$/;

/**
 * Reads the query parameters `limit` and `offset` (docs/rules/api.md#paging). Never fails: a missing, non-numeric or non-positive limit
 * becomes 100, a limit above 1000 becomes 1000, an invalid offset becomes 0. An offset that is too large for an integer becomes the largest
 * integer.
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
 *
 * @returns a function to call with the size of each record, in bytes, before the next one is read; it throws AppError `invalid` when the
 *   page becomes too large
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
