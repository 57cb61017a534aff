import createClient, { type Client } from 'openapi-fetch';
import type { components, operations, paths } from './gen/schema.js';

export type { components, operations, paths };

/** A record or answer of the API by its name in the document: `Schema<'Workday'>`. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

/** Where the API is and who asks. */
export interface StechuhrOptions {
  /** The address of the API with its version, without a slash at the end: `https://stechuhr.example/api/v2`. */
  readonly baseUrl: string;
  /** `stu_…`; left out, only what needs no token can be asked. */
  readonly token?: string;
  /** In the place of the global one. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/** A client with a method for each HTTP method; paths, parameters, bodies and answers are typed. */
export function createStechuhrClient({ baseUrl, token, fetch }: StechuhrOptions): Client<paths> {
  return createClient<paths>({
    baseUrl,
    ...(token === undefined ? {} : { headers: { Authorization: `Token ${token}` } }),
    ...(fetch === undefined ? {} : { fetch }),
  });
}

type Page<Item> = { readonly count: number; readonly next: string | null; readonly results: readonly Item[] };

/** All entries of a list, page after page: the function asks for the page that starts at an offset. */
export async function* everyEntry<Item>(
  page: (query: { readonly limit: number; readonly offset: number }) => Promise<{ data?: Page<Item>; error?: unknown }>,
): AsyncGenerator<Item> {
  const limit = 1000;
  for (let offset = 0; ; offset += limit) {
    const { data, error } = await page({ limit, offset });
    if (data === undefined) throw new Error('The list was not answered.', { cause: error });
    yield* data.results;
    if (data.next === null) return;
  }
}
