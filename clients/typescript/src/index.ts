import createClient, { type Client } from 'openapi-fetch';
import type { components, operations, paths } from './gen/schema.js';

export type { components, operations, paths };

/** The type of a record or response by its name in the OpenAPI document: `Schema<'Workday'>`. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

/** The address of the API and the token of the client. */
export interface StechuhrOptions {
  /** The address of the API with its version, without a slash at the end: `https://stechuhr.example/api/v2`. */
  readonly baseUrl: string;
  /** The token, `stu_…`. Without it, only operations that need no token can be called. */
  readonly token?: string;
  /** Replaces the global `fetch`. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/** Creates a client with a function for each HTTP method. Paths, parameters, bodies and responses are typed. */
export function createStechuhrClient({ baseUrl, token, fetch }: StechuhrOptions): Client<paths> {
  return createClient<paths>({
    baseUrl,
    ...(token === undefined ? {} : { headers: { Authorization: `Token ${token}` } }),
    ...(fetch === undefined ? {} : { fetch }),
  });
}

type Page<Item> = { readonly count: number; readonly next: string | null; readonly results: readonly Item[] };

/**
 * Yields all entries of a list, reading it page by page.
 * @param page requests the page that starts at an offset
 * @param limit the number of entries per page, at most 1000; fewer where entries are large, because a page of more than 16 MiB is a 400
 * @throws Error if a page cannot be read
 */
export async function* everyEntry<Item>(
  page: (query: { readonly limit: number; readonly offset: number }) => Promise<{ data?: Page<Item>; error?: unknown }>,
  limit = 1000,
): AsyncGenerator<Item> {
  for (let offset = 0; ; offset += limit) {
    const { data, error } = await page({ limit, offset });
    if (data === undefined) throw new Error('A page of the list could not be read.', { cause: error });
    yield* data.results;
    if (data.next === null) return;
  }
}
