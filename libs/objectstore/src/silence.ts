import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';

/** How long a store may be silent, in milliseconds. */
export interface Patience {
  /** While it stores, copies or assembles objects. */
  readonly storingMs: number;
  /** While it does anything else. */
  readonly otherMs: number;
}

export const PATIENCE: Patience = { storingMs: 120_000, otherMs: 30_000 };

const STORING = new Set(['PUT', 'POST']);

/** What the client sends its requests with. */
type Transport = Pick<typeof http, 'request'>;

/**
 * Aborts requests whose store has become silent, with `ETIMEDOUT`: neither the client nor Node sets a limit, and a connection whose other end has
 * disappeared stays silent forever. A reader that reads nothing does not count as silence of the store.
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
      // The timer fires only once, so it is set again.
      if (response !== undefined && isHeldBack(response)) made.setTimeout(timeout);
      else made.destroy(Object.assign(new Error(`The object store was silent for ${String(timeout)} ms.`), { code: 'ETIMEDOUT' }));
    });
  };
  return { request: request as Transport['request'] };
}

/** Whether the whole response, or more than its reader has read, has arrived; aborting would lose what waits for the reader. */
function isHeldBack({ complete, readableLength, readableHighWaterMark }: IncomingMessage): boolean {
  return complete || readableLength >= readableHighWaterMark;
}
