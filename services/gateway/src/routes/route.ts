import type { Request, Response } from 'express';
import type { Share } from '@stechuhr/kernel';
import type { Needed } from '../domain/token.js';
import type { Query } from '../http/request.js';
import type { Principal } from '../operations/authenticate.js';

/** The prefix of every path of the API, including the version. */
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
  /** The base address of absolute links, without a trailing slash. */
  readonly publicBase: string;
  /** The bytes that this process holds for the request until the client has received the response. */
  readonly held: Share;
  /**
   * Checks the token again if that was done a while ago, and updates what `principal` says about the account. Call it after the body was read,
   * before anything is executed. @throws AppError as `authenticate` does
   */
  readonly confirmCaller: () => Promise<void>;
  /** Sends a JSON body; the status is 200 unless another one is given. @throws AppError `rate_limited` */
  readonly answer: (body: object, status?: number) => Promise<void>;
}

/** An operation. On authenticated routes it declares a scope of the spec, a scope that only strict tokens need, or null. */
export interface Operation<E> extends Needed {
  readonly handle: (exchange: E) => Promise<void>;
  /** Whether it returns only JSON, so that an Accept header can exclude it. Other operations choose their format by parameter. */
  readonly jsonOnly?: boolean;
}

export interface RouteOf<E> {
  /** The absolute path; `:name` stands for one segment. */
  readonly path: string;
  /** Whether the variable segments of the path are valid; otherwise the path is unknown. */
  readonly matches?: (segments: Readonly<Record<string, string | string[] | undefined>>) => boolean;
  readonly name: string;
  /** Whether it is a file of a page and not an operation of the API. */
  readonly isAsset?: true;
  readonly description: string;
  /** The operations by method. GET also handles HEAD. */
  readonly operations: Readonly<Partial<Record<Method, Operation<E>>>>;
}

export interface OpenRoute extends RouteOf<Exchange> {
  readonly authenticated: false;
}

export interface CallerRoute extends RouteOf<CallerExchange> {
  readonly authenticated: true;
  /** Its name in the list of groups at the root of the API. */
  readonly group?: string;
}

/** One entry of the routing table, from which requests, `OPTIONS`, `Allow` and the root of the API are answered. */
export type Route = OpenRoute | CallerRoute;

/** Returns the methods of a route in the order that Django REST framework uses in `Allow`. */
export function allowOf(operations: Readonly<Partial<Record<Method, unknown>>>): string {
  const methods = (['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).filter((method) => operations[method] !== undefined);
  return [...methods, ...(operations.GET === undefined ? [] : ['HEAD']), 'OPTIONS'].join(', ');
}
