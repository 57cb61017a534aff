import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express, { type RequestHandler } from 'express';
import { Pool } from 'undici';
import { serve, type Bodies } from './start.js';

interface Orders extends Bodies {
  /** Known tokens, by hash; everybody is let in without. */
  readonly token?: string;
  /** Where the bodies come from instead of memory. */
  readonly upstreamPort?: number;
}

await serve(async ({ unary, list, token, upstreamPort }: Orders) => {
  const app = express().disable('x-powered-by').disable('etag').set('query parser', false);
  if (token !== undefined) app.use(authenticated(token));
  const pool = upstreamPort === undefined ? undefined : new Pool(`http://127.0.0.1:${upstreamPort}`, { connections: 64 });
  for (const [path, body] of [
    ['/unary', JSON.parse(unary)],
    ['/list', JSON.parse(list)],
  ] as const) {
    app.get(path, async (_request, response) => {
      response.json(pool === undefined ? body : await (await pool.request({ path, method: 'GET' })).body.json());
    });
  }
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
});

/** As cheap as it gets: a hash and a look into a map. */
function authenticated(token: string): RequestHandler {
  const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
  const known = new Map([[hashOf(token), { accountId: 'a' }]]);
  return (request, response, next) => {
    if (known.has(hashOf(request.headers.authorization?.slice('Token '.length) ?? ''))) next();
    else response.status(401).end();
  };
}
