import { STATUS_CODES } from 'node:http';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import helmet from 'helmet';
import type { Logger } from '@stechuhr/kernel';
import { nameRoute } from '@stechuhr/service';
import {
  expectationFailed,
  notFound,
  sendAnswer,
  sendError,
  severalHosts,
  unknownTransferCoding,
  withoutHost,
  type Answer,
} from './http/answers.js';
import { rawQueryOf } from './http/request.js';
import { accessLog } from './middleware/access-log.js';
import { type ServeContext, serveRoute } from './middleware/serve-route.js';
import type { Route } from './routes/route.js';

interface AppOptions {
  readonly context: ServeContext;
  readonly routes: readonly Route[];
  /** Logs one line for each request. */
  readonly requestLog: Logger;
  readonly trustProxy: boolean | number | readonly string[];
}

export function createApp({ context, routes, requestLog, trustProxy }: AppOptions): Express {
  const app = express();
  app.disable('x-powered-by').disable('etag').enable('strict routing').enable('case sensitive routing');
  app.set('query parser', 'simple').set('trust proxy', trustProxy);
  app.use(accessLog(requestLog), securityHeaders(), noStore, rejectInvalidHeaders);
  for (const route of routes) {
    // `app.all` would keep each handler 35 times, once for each method.
    app.route(route.path).all(skipUnknownPaths(route), setRouteName(route.path), serveRoute(context, route));
    const bare = route.path.slice(0, -1);
    if (route.path.endsWith('/')) app.route(bare).all(skipUnknownPaths(route), setRouteName(bare), addSlash(context.publicUrl));
  }
  app.use(unknownPath);
  app.use(handleErrors(context.logger));
  return app;
}

/** Most responses are not pages, so by default no script, style or frame may run. Pages set their own policy. */
function securityHeaders(): RequestHandler {
  return helmet({
    contentSecurityPolicy: { useDefaults: false, directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] } },
    referrerPolicy: { policy: 'no-referrer' },
    frameguard: { action: 'deny' },
  });
}

/** Forbids caching, because responses are meant only for the holder of the token. */
const noStore: RequestHandler = (_, response, next) => {
  response.setHeader('Cache-Control', 'no-store');
  next();
};

/**
 * Rejects what Node would reject without a response body, or accept: no Host header or several ones (RFC 9112, section 3.2), expectations
 * (RFC 9110, section 10.1.1), and transfer codings other than chunked, which Node would not decode (RFC 9112, section 6.1).
 */
const rejectInvalidHeaders: RequestHandler = ({ headers, rawHeaders, httpVersion }, response, next) => {
  const { host, expect, 'transfer-encoding': coding } = headers;
  const hosts = rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === 'host');
  if (host === undefined && httpVersion === '1.1') sendAnswer(response, withoutHost);
  else if (hosts.length > 1) sendAnswer(response, severalHosts);
  else if (expect !== undefined && expect.toLowerCase() !== '100-continue') sendAnswer(response, expectationFailed);
  else if (coding !== undefined && coding.toLowerCase() !== 'chunked') sendAnswer(response, unknownTransferCoding);
  else next();
};

/** Passes a request on to other routes if the variable segments of its path are invalid. */
function skipUnknownPaths({ matches = () => true }: Route): RequestHandler {
  return (request, _, next) => (matches(request.params) ? next() : next('route'));
}

/** Sets the route of a request for telemetry. */
function setRouteName(path: string): RequestHandler {
  return (_request, _response, next) => {
    nameRoute(path);
    next();
  };
}

/**
 * Handles a known path without its trailing slash: redirects requests without a body, answers others with 404. The query is kept as it was
 * sent. The location is a path, so that a Host header cannot redirect the client to another server.
 *
 * @param publicUrl the public address; its path, if it has one, precedes the path of the redirect
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

/**
 * Handles errors outside the routes. Express recognizes an error handler by its four parameters; its default one would show a stack trace.
 * A path that cannot be decoded is answered with 404.
 */
function handleErrors(logger: Logger): ErrorRequestHandler {
  return (caught: unknown, _request, response, _next) => {
    const refusal = caught instanceof URIError ? notFound : refusalOf(caught);
    if (refusal === undefined || response.headersSent) sendError(response, caught, logger);
    else sendAnswer(response, refusal);
  };
}

/** Returns the response for requests of files that Express rejects: an unsatisfiable range or a failed precondition. */
function refusalOf(caught: unknown): Answer | undefined {
  const status = caught instanceof Error && 'status' in caught ? Number(caught.status) : 0;
  if (!(status >= 400 && status < 500)) return undefined;
  return { status, headers: { 'Cache-Control': 'no-store' }, body: { detail: `${STATUS_CODES[status] ?? 'Bad Request'}.` } };
}
