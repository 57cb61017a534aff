import { AppError, type PageRequest } from '@stechuhr/kernel';
import type { Query } from './request.js';

/** The parts of a request that determine the public address of the API. */
interface RequestOrigin {
  /** From the connection, or from a trusted proxy's `X-Forwarded-Proto`. */
  readonly protocol: string;
  /** `host[:port]` of the Host header or of a trusted proxy's `X-Forwarded-Host`. */
  readonly host: string | undefined;
}

/**
 * Returns the address in front of every path, without a trailing slash: the configured one or else the one to which the request was sent.
 * Returns an empty text for an invalid Host header, so that links are still usable as paths.
 */
export function publicBaseOf(configured: string | undefined, origin: RequestOrigin): string {
  if (configured !== undefined) return configured;
  const protocol = origin.protocol === 'https' ? 'https' : 'http';
  const base = `${protocol}://${origin.host ?? ''}`;
  return URL.canParse(base) && new URL(base).pathname === '/' ? new URL(base).origin : '';
}

/** One page of a list. */
interface ListedPage<T> extends PageRequest {
  /** The number of entries in all pages. */
  readonly count: number;
  readonly results: readonly T[];
}

/** The response body of a list. */
export interface PageAnswer<T> {
  readonly count: number;
  readonly next: string | null;
  readonly previous: string | null;
  readonly results: readonly T[];
}

/** The maximum size of a link. It leaves 4 KiB for the headers of a request that follows it (`maxHeaderSize` of the server). */
const MAX_LINK_BYTES = 60 * 1024;

/**
 * Returns the response body of a list. The links to the neighbouring pages keep the other parameters (docs/rules/api.md#paging).
 *
 * @throws AppError `invalid` if a link would be too long to be followed: it is longer than the request where the client did not encode pipes
 */
export function pageAnswer<T>(address: string, query: Query, { count, limit, offset, results }: ListedPage<T>): PageAnswer<T> {
  const at = (start: number): string => {
    const link = `${address}?${new URLSearchParams({ ...query, limit: String(limit), offset: String(start) }).toString()}`;
    if (link.length > MAX_LINK_BYTES) throw AppError.invalid({ non_field_errors: [tooLong(link)] });
    return link;
  };
  return {
    count,
    next: offset + limit < count ? at(offset + limit) : null,
    previous: offset > 0 ? at(Math.max(0, offset - limit)) : null,
    results,
  };
}

function tooLong({ length }: string): string {
  return `The address of another page would have ${String(length)} bytes; ${String(MAX_LINK_BYTES)} are possible. Send fewer ids.`;
}
