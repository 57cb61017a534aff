import type { Request, RequestHandler, Response } from 'express';
import type { Clock, FairShares, Logger } from '@stechuhr/kernel';
import { grants, type Rights } from '../domain/token.js';
import { forbidden, HttpError, methodNotAllowed, notAcceptable, outcomeOf, sendAnswer, sendError } from '../http/answers.js';
import { sendJson } from '../http/held-bytes.js';
import { parseQuery, tokenOf } from '../http/request.js';
import { publicBaseOf } from '../http/links.js';
import { countRequest } from '../metrics.js';
import { authenticate } from '../operations/authenticate.js';
import type { AccountGuesses, Accounts, Lookups, TokenStore } from '../operations/ports.js';
import { allowOf, type CallerRoute, type Exchange, type Operation, type Route, type RouteOf } from '../routes/route.js';
import { limitRequests, type RequestLimiters } from './rate-limit.js';
import type { RequestSlot, RequestSlots } from './request-slots.js';

export interface ServeContext {
  readonly tokens: TokenStore;
  readonly accounts: Accounts;
  readonly lookups: Lookups;
  readonly guesses: AccountGuesses;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly requestLimiters: RequestLimiters;
  readonly requestSlots: RequestSlots;
  /** The bytes that this process holds for the clients of each institution. */
  readonly heldBytes: FairShares;
  readonly publicUrl: string | undefined;
}

/**
 * For how long a caller counts as checked. A body may take 30 s to arrive, and whoever has revoked a token or deleted an account meanwhile relies on
 * that nothing more is done with it. Usual requests take less, so they are checked once.
 */
const CONFIRMED_MS = 1_000;

/** The rights on open routes, which need no token. */
const EVERYTHING: Rights = { scopes: null, strict: false };

/**
 * Returns the handler for every method of a route. The order of checks is: place, token, limits, method, permission, format, then the operation.
 */
export function serveRoute(context: ServeContext, route: Route): RequestHandler {
  return async (request, response) => {
    const exchange: Exchange = { request, response, signal: signalOf(response) };
    try {
      if (route.authenticated) await answerCaller(context, route, exchange);
      else await answer(route, exchange, EVERYTHING);
    } catch (caught) {
      sendError(response, caught, context.logger);
    }
  };
}

function signalOf(response: Response): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}

async function answerCaller(context: ServeContext, route: CallerRoute, exchange: Exchange): Promise<void> {
  const slot = context.requestSlots.enter();
  try {
    await answerInSlot(context, route, { ...exchange, slot });
  } finally {
    slot.release();
  }
}

async function answerInSlot(context: ServeContext, route: CallerRoute, { slot, ...exchange }: Exchange & { readonly slot: RequestSlot }) {
  const { request, response, signal } = exchange;
  const secret = tokenOf(request.headers.authorization);
  const principal = await authenticate(context, secret);
  const checkedAt = context.clock.now();
  response.once('close', () => countRequest(principal.caller.institutionId, outcomeOf(response)));
  await limitRequests(context.requestLimiters, principal, response);
  slot.assign(principal.caller.institutionId);
  const query = parseQuery(request.originalUrl);
  const publicBase = publicBaseOf(context.publicUrl, { protocol: request.protocol, host: request.host });
  const held = context.heldBytes.open(principal.caller.institutionId);
  const send = (body: object, status = 200) => sendJson(response.status(status), body, { held, signal });
  const confirmCaller = async () => {
    if (context.clock.now() - checkedAt < CONFIRMED_MS) return;
    // In place, because operations take the caller from the exchange before they read the body.
    principal.caller.visibility = (await authenticate(context, secret)).caller.visibility;
  };
  try {
    await answer(route, { ...exchange, principal, query, publicBase, held, confirmCaller, answer: send }, principal);
  } finally {
    held.release();
  }
}

async function answer<E extends Exchange>(route: RouteOf<E>, exchange: E, rights: Rights): Promise<void> {
  const { request, response } = exchange;
  const allow = allowOf(route.operations);
  if (request.method === 'OPTIONS') {
    sendAnswer(response, { status: 200, headers: { Allow: allow }, body: { name: route.name, description: route.description } });
    return;
  }
  const operations: Readonly<Partial<Record<string, Operation<E>>>> = route.operations;
  const operation = operations[request.method === 'HEAD' ? 'GET' : request.method];
  if (operation === undefined) throw new HttpError(methodNotAllowed(request.method, allow));
  if (!grants(rights, operation)) throw new HttpError(forbidden(rights.strict ? (operation.scope ?? operation.strictScope) : undefined));
  if (operation.jsonOnly === true && !takesJson(request)) throw new HttpError(notAcceptable);
  await operation.handle(exchange);
}

/** A parameter of a media type, except `q`. The value may be quoted. */
const PARAMETER = /;(?!\s*q\s*=)[^;,"]*(?:"[^"]*")?[^;,]*/gi;

/**
 * Returns whether the client accepts JSON. Parameters are ignored, as in Django REST framework: `application/json; charset=utf-8` accepts
 * JSON.
 */
function takesJson(request: Request): boolean {
  const { accept } = request.headers;
  if (accept !== undefined) request.headers.accept = accept.replace(PARAMETER, '');
  return request.accepts('json') !== false;
}
