import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

export interface Call {
  readonly method?: string;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The parsed body; `undefined` when it is no JSON. */
  readonly json: unknown;
}

/** Sends the target as it stands: nothing is normalised, encoded or followed. */
export async function call(port: number, target: string, options: Call = {}): Promise<Answer> {
  const response = await open(port, target, options);
  const received = await text(response);
  return { status: response.statusCode ?? 0, headers: response.headers, text: received, json: parsed(received) };
}

/** Like {@link call}, but hands the response out while its body is on the way. */
export function open(port: number, target: string, { method = 'GET', token, headers = {}, body }: Call = {}): Promise<IncomingMessage> {
  const own = {
    ...(token === undefined ? {} : { authorization: `Token ${token}` }),
    ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
  };
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port, path: target, method, agent: false, headers: { ...own, ...headers } });
    request.once('response', resolve);
    request.once('error', reject);
    request.end(body);
  });
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
