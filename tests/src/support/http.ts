import { request as httpRequest, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** Options of an API request. */
export interface Call {
  readonly method?: string;
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A response with the body as text and, if it is JSON, parsed. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  /** The parsed body; `undefined` if it is not JSON. */
  readonly json: unknown;
}

/** Sends a request with the literal URL: it is not normalised or encoded, and redirects are not followed. */
export async function call(url: string, { method = 'GET', token, headers = {}, body }: Call = {}): Promise<Answer> {
  const response = await open(url, { method, token, headers, ...(body === undefined ? {} : { body }) });
  // A TextDecoder would remove a byte order mark.
  const received = (await buffer(response)).toString('utf8');
  return { status: response.statusCode ?? 0, headers: response.headers, text: received, json: parsed(received) };
}

/**
 * Like {@link call}, but returns the response before its body has been received.
 *
 * @throws Error the error of the connection, with the request in its message. Its query is left out, since it may contain a signature.
 */
export function open(url: string, { method = 'GET', token, headers = {}, body }: Call = {}): Promise<IncomingMessage> {
  const { hostname, port } = new URL(url);
  const path = url.slice(url.indexOf('/', 'http://'.length));
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      hostname,
      port,
      path,
      method,
      agent: false,
      headers: { ...(token === undefined ? {} : { authorization: `Token ${token}` }), ...headers },
    });
    request.on('response', resolve);
    request.on('error', (error) => reject(Object.assign(error, { message: `${method} ${url.replace(/\?.*/, '')}: ${error.message}` })));
    request.end(body);
  });
}

/** Returns a query string with percent-encoded values. */
export function query(parameters: Readonly<Record<string, string>>): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
