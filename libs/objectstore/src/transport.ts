import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';

/** How long a store may send nothing before a request fails, in milliseconds. */
export interface TimeLimits {
  /** While it stores, copies or assembles an object. */
  readonly storingMs: number;
  /** During all other requests. */
  readonly otherMs: number;
}

/** The limits of services. */
export const TIME_LIMITS: TimeLimits = { storingMs: 120_000, otherMs: 30_000 };

const STORING = new Set(['PUT', 'POST']);

/** The interface through which the client makes its requests. */
type Transport = Pick<typeof http, 'request'>;

/**
 * Ends requests with `ETIMEDOUT` when the store stops responding. Neither the client nor Node sets a limit, and a connection whose peer has
 * disappeared would stay silent forever. A reader that does not consume data does not count as silence.
 */
export function transportWithTimeout(isSecure: boolean, { storingMs, otherMs }: TimeLimits): Transport {
  const begin = isSecure ? https.request : http.request;
  const request = (options: RequestOptions, onResponse: (response: IncomingMessage) => void): ClientRequest => {
    let response: IncomingMessage | undefined;
    const timeout = STORING.has(options.method ?? '') ? storingMs : otherMs;
    const made = begin({ ...options, timeout }, (message) => {
      response = message;
      onResponse(message);
      discardUnlessRead(message);
    });
    return made.on('timeout', () => {
      // The timer fires only once, so it is set again.
      if (response !== undefined && waitsForReader(response)) made.setTimeout(timeout);
      else made.destroy(Object.assign(new Error(`The object store was silent for ${String(timeout)} ms.`), { code: 'ETIMEDOUT' }));
    });
  };
  return { request: request as Transport['request'] };
}

const FIRST_ERROR = 400;

/**
 * Discards the body of an error that nobody reads, so that its connection can be used again: the client ignores the bodies of responses
 * such as 503. Without this, each of them would occupy a connection until the store closes it.
 */
function discardUnlessRead(response: IncomingMessage): void {
  if ((response.statusCode ?? 0) < FIRST_ERROR) return;
  // By then, the client has begun to read, or has ended the request.
  setImmediate(() => {
    if (response.readableFlowing === null) response.resume();
  });
}

/**
 * Whether the response waits for its reader: it has arrived completely, or its buffer is full. Ending the request would lose the buffered
 * data.
 */
function waitsForReader({ complete, readableLength, readableHighWaterMark }: IncomingMessage): boolean {
  return complete || readableLength >= readableHighWaterMark;
}
