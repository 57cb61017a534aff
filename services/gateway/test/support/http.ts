import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

export interface Call {
  readonly method?: string;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Several parts are sent with chunked encoding, without a length. */
  readonly body?: string | Uint8Array | readonly string[];
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The parsed body; `undefined` if it is not JSON. */
  readonly json: unknown;
}

/** Sends a request without changing its target: nothing is normalised or encoded, and no redirect is followed. */
export async function call(port: number, target: string, options: Call = {}): Promise<Answer> {
  const response = await open(port, target, options);
  const received = await text(response);
  return { status: response.statusCode ?? 0, headers: response.headers, text: received, json: parsed(received) };
}

/** Like {@link call}, but returns the response while its body is still being received. */
export function open(port: number, target: string, { method = 'GET', token, headers = {}, body }: Call = {}): Promise<IncomingMessage> {
  const parts = body === undefined ? [] : typeof body === 'string' || body instanceof Uint8Array ? [body] : body;
  const length = parts === body ? undefined : parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
  const own = {
    ...(token === undefined ? {} : { authorization: `Token ${token}` }),
    ...(body === undefined || length === undefined ? {} : { 'content-length': String(length) }),
  };
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port, path: target, method, agent: false, headers: { ...own, ...headers } });
    request.once('response', resolve);
    request.once('error', reject);
    for (const part of parts) request.write(part);
    request.end();
  });
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
