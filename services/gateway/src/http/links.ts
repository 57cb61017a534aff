import type { PageRequest } from '@stechuhr/kernel';
import type { Query } from './request.js';

/** The public address of the API, as seen in a request. */
interface RequestOrigin {
  /** From the connection, or from a trusted proxy's `X-Forwarded-Proto`. */
  readonly protocol: string;
  /** `host[:port]` of the Host header or of a trusted proxy's `X-Forwarded-Host`. */
  readonly host: string | undefined;
}

/**
 * The public address in front of every path, without a trailing slash: the configured one, otherwise the one that the request was sent to. If the
 * latter is invalid, the result is empty, so that links are relative.
 */
export function publicBaseOf(configured: string | undefined, origin: RequestOrigin): string {
  if (configured !== undefined) return configured;
  const protocol = origin.protocol === 'https' ? 'https' : 'http';
  const base = `${protocol}://${origin.host ?? ''}`;
  return URL.canParse(base) && new URL(base).pathname === '/' ? new URL(base).origin : '';
}

/** One page of a list. */
interface ListedPage<T> extends PageRequest {
  /** Over all pages. */
  readonly count: number;
  readonly results: readonly T[];
}

/** The response of a list. */
export interface PageAnswer<T> {
  readonly count: number;
  readonly next: string | null;
  readonly previous: string | null;
  readonly results: readonly T[];
}

/** The response of a list, with links to the previous and next page that keep the other parameters (docs/rules/api.md#paging). */
export function pageAnswer<T>(address: string, query: Query, { count, limit, offset, results }: ListedPage<T>): PageAnswer<T> {
  const at = (start: number) => `${address}?${new URLSearchParams({ ...query, limit: String(limit), offset: String(start) }).toString()}`;
  return {
    count,
    next: offset + limit < count ? at(offset + limit) : null,
    previous: offset > 0 ? at(Math.max(0, offset - limit)) : null,
    results,
  };
}
