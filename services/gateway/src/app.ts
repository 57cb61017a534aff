import { STATUS_CODES } from 'node:http';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import helmet from 'helmet';
import type { Logger } from '@stechuhr/kernel';
import { nameRoute } from '@stechuhr/service';
import { expectationFailed, notFound, sendAnswer, withoutHost, sendError, type Answer } from './http/answers.js';
import { rawQueryOf } from './http/request.js';
import { accessLog } from './middleware/access-log.js';
import { type ServeContext, serveRoute } from './middleware/serve-route.js';
import type { Route } from './routes/route.js';

interface AppOptions {
  readonly context: ServeContext;
  readonly routes: readonly Route[];
  /** Gets a line for each request. */
  readonly requestLog: Logger;
  readonly trustProxy: boolean | number | readonly string[];
}

export function createApp({ context, routes, requestLog, trustProxy }: AppOptions): Express {
  const app = express();
  app.disable('x-powered-by').disable('etag').enable('strict routing').enable('case sensitive routing');
  app.set('query parser', 'simple').set('trust proxy', trustProxy);
  app.use(accessLog(requestLog), securityHeaders(), noStore, ofHttp11);
  for (const route of routes) {
    // `app.all` would keep each handler 35 times, once for each method.
    app.route(route.path).all(unlessUnknown(route), named(route.path), serveRoute(context, route));
    const bare = route.path.slice(0, -1);
    if (route.path.endsWith('/')) app.route(bare).all(unlessUnknown(route), named(bare), addSlash(context.publicUrl));
  }
  app.use(unknownPath);
  app.use(lastResort(context.logger));
  return app;
}

/** Most responses are not pages, so no script, style or frame may run. Pages set their own policy. */
function securityHeaders(): RequestHandler {
  return helmet({
    contentSecurityPolicy: { useDefaults: false, directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] } },
    referrerPolicy: { policy: 'no-referrer' },
    frameguard: { action: 'deny' },
  });
}

/** Answers belong to the holder of a token; no cache on the way may keep them. */
const noStore: RequestHandler = (_, response, next) => {
  response.setHeader('Cache-Control', 'no-store');
  next();
};

/** What Node would refuse without a body (RFC 9110, sections 7.2 and 10.1.1). */
const ofHttp11: RequestHandler = ({ headers, httpVersion }, response, next) => {
  if (headers.host === undefined && httpVersion === '1.1') sendAnswer(response, withoutHost);
  else if (headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue') sendAnswer(response, expectationFailed);
  else next();
};

/** Passes a request on to other routes if its path only looks like this one's. */
function unlessUnknown({ matches = () => true }: Route): RequestHandler {
  return (request, _, next) => (matches(request.params) ? next() : next('route'));
}

/** Sets the route of a request for telemetry. */
function named(path: string): RequestHandler {
  return (_request, _response, next) => {
    nameRoute(path);
    next();
  };
}

/**
 * What answers a known path without its trailing slash: a redirect where nothing can get lost on the way, else 404. The query is kept as it
 * was sent, and the address is a path, so that a Host header cannot redirect the client elsewhere.
 *
 * @param publicUrl its path, if it has one, is in front of ours for clients
 */
function addSlash(publicUrl: string | undefined): RequestHandler {
  const mount = publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/$/, '');
  return (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return sendAnswer(response, notFound);
    const location = `${mount}${request.path}/${rawQueryOf(request.originalUrl)}`;
    response.status(301).set({ Location: location }).end();
  };
}

const unknownPath: RequestHandler = (_, response) => sendAnswer(response, notFound);

/** Express knows an error handler by its four parameters; its own would show a stack. What cannot be decoded is no path. */
function lastResort(logger: Logger): ErrorRequestHandler {
  return (caught: unknown, _request, response, _next) => {
    const refusal = caught instanceof URIError ? notFound : refusalOf(caught);
    if (refusal === undefined || response.headersSent) sendError(response, caught, logger);
    else sendAnswer(response, refusal);
  };
}

/** What Express refuses of a file: a range that it does not have, or a condition that does not hold. */
function refusalOf(caught: unknown): Answer | undefined {
  const status = caught instanceof Error && 'status' in caught ? Number(caught.status) : 0;
  if (!(status >= 400 && status < 500)) return undefined;
  return { status, headers: { 'Cache-Control': 'no-store' }, body: { detail: `${STATUS_CODES[status] ?? 'Bad Request'}.` } };
}
