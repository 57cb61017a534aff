import { request as httpRequest, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** What a client of the API sends besides the address. */
export interface Call {
  readonly method?: string;
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** What it gets back: the body as text and, where it is JSON, parsed. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  /** The parsed body; `undefined` when it is no JSON. */
  readonly json: unknown;
}

/** Sends the address as it stands: nothing is normalised, encoded or followed. */
export async function call(url: string, { method = 'GET', token, headers = {}, body }: Call = {}): Promise<Answer> {
  const response = await open(url, { method, token, headers, ...(body === undefined ? {} : { body }) });
  // Not through a TextDecoder, which would swallow a byte order mark.
  const received = (await buffer(response)).toString('utf8');
  return { status: response.statusCode ?? 0, headers: response.headers, text: received, json: parsed(received) };
}

/** Like {@link call}, but hands out the response while its body is still on the way. */
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
    request.on('error', reject);
    request.end(body);
  });
}

/** A query string of these parameters, values percent-encoded once. */
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
