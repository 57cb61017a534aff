import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express, { type Express, type RequestHandler } from 'express';

/** Creates an Express app with all optional features disabled. With a token, requests without it are rejected. */
export function bareApp(token?: string): Express {
  const app = express().disable('x-powered-by').disable('etag').set('query parser', false);
  if (token !== undefined) app.use(authenticated(token));
  return app;
}

/** Starts listening on a free port. @returns the port */
export async function listen(app: Express): Promise<number> {
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Returns the cheapest possible token check: a hash and a map lookup. */
function authenticated(token: string): RequestHandler {
  const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
  const known = new Map([[hashOf(token), { accountId: 'a' }]]);
  return (request, response, next) => {
    if (known.has(hashOf(request.headers.authorization?.slice('Token '.length) ?? ''))) next();
    else response.status(401).end();
  };
}
