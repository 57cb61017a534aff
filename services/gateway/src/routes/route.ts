import type { Request, Response } from 'express';
import type { Needed } from '../domain/token.js';
import type { Query } from '../http/request.js';
import type { Principal } from '../operations/authenticate.js';

/** Prefix of every path of the API, including the version. */
export const BASE_PATH = '/api/v2/';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One request and its response. */
export interface Exchange {
  readonly request: Request;
  readonly response: Response;
  /** Aborts when the client disconnects before the response is complete. */
  readonly signal: AbortSignal;
}

/** A request of an authenticated caller. */
export interface CallerExchange extends Exchange {
  readonly principal: Principal;
  readonly query: Query;
  /** The address in front of every absolute link; no trailing slash. */
  readonly publicBase: string;
}

/** Each operation for authenticated callers names a scope of the spec, or one that only strict tokens need, or null. */
export interface Operation<E> extends Needed {
  readonly handle: (exchange: E) => Promise<void>;
  /** Whether it answers with JSON only, so that an Accept header can exclude it. Other operations choose their format by parameter. */
  readonly jsonOnly?: boolean;
}

export interface RouteOf<E> {
  /** Absolute; `:name` stands for one segment. */
  readonly path: string;
  /** Whether the variable segments of the path are valid; otherwise the path is unknown. */
  readonly matches?: (segments: Readonly<Record<string, string | string[] | undefined>>) => boolean;
  readonly name: string;
  /** Whether it is part of a page rather than an operation of the API. */
  readonly isAsset?: true;
  readonly description: string;
  /** GET also handles HEAD. */
  readonly operations: Readonly<Partial<Record<Method, Operation<E>>>>;
}

export interface OpenRoute extends RouteOf<Exchange> {
  readonly authenticated: false;
}

export interface CallerRoute extends RouteOf<CallerExchange> {
  readonly authenticated: true;
  /** The name under which the root of the API lists it. */
  readonly group?: string;
}

/** A route. The table of routes defines requests, `OPTIONS`, `Allow` and the root of the API. */
export type Route = OpenRoute | CallerRoute;

/** The methods of a route in the order of Django REST framework's `Allow`. */
export function allowOf(operations: Readonly<Partial<Record<Method, unknown>>>): string {
  const methods = (['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).filter((method) => operations[method] !== undefined);
  return [...methods, ...(operations.GET === undefined ? [] : ['HEAD']), 'OPTIONS'].join(', ');
}
