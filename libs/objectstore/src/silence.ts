import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';

/** How long a store may say nothing, in milliseconds. */
export interface Patience {
  /** While it stores, copies or puts together. */
  readonly storingMs: number;
  /** While it does anything else. */
  readonly otherMs: number;
}

export const PATIENCE: Patience = { storingMs: 120_000, otherMs: 30_000 };

const STORING = new Set(['PUT', 'POST']);

/** What the client makes its requests with. */
type Transport = Pick<typeof http, 'request'>;

/**
 * Ends requests whose store has gone silent, with `ETIMEDOUT`: neither the client nor Node sets a limit, and a connection whose other end has
 * gone is silent for good. A reader who takes nothing is no silence.
 */
export function impatientTransport(isSecure: boolean, { storingMs, otherMs }: Patience): Transport {
  const begin = isSecure ? https.request : http.request;
  const request = (options: RequestOptions, onResponse: (response: IncomingMessage) => void): ClientRequest => {
    let response: IncomingMessage | undefined;
    const timeout = STORING.has(options.method ?? '') ? storingMs : otherMs;
    const made = begin({ ...options, timeout }, (message) => {
      response = message;
      onResponse(message);
    });
    return made.on('timeout', () => {
      // The timer has fired once and for all.
      if (response !== undefined && isHeldBack(response)) made.setTimeout(timeout);
      else made.destroy(Object.assign(new Error(`The object store was silent for ${String(timeout)} ms.`), { code: 'ETIMEDOUT' }));
    });
  };
  return { request: request as Transport['request'] };
}

/** All of it has arrived, or more than its reader has taken: what waits for the reader would be lost with the request. */
function isHeldBack({ complete, readableLength, readableHighWaterMark }: IncomingMessage): boolean {
  return complete || readableLength >= readableHighWaterMark;
}
