import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';

/** A request that has arrived at a gate. */
export interface GatedRequest {
  readonly method: string;
  /** Including the query. */
  readonly path: string;
}

interface Refusal {
  readonly status: number;
  readonly body?: string;
}

/** What happens to a request: the gate responds itself, or truncates the response of the server. */
export type GateVerdict =
  | Refusal
  /** Ends the connection after this many bytes of the response body; 0 ends it before the headers. */
  | { readonly cutAfter: number };

/** An HTTP proxy that can respond to some requests itself. */
export interface HttpGate {
  /** `host:port` for the clients. */
  readonly address: string;
  /** Sets the rule that is applied to each request until the release; requests without a verdict are forwarded. */
  judge(verdictOf: (request: GatedRequest) => GateVerdict | undefined): void;
  /** Forwards everything again. */
  release(): void;
  stop(): Promise<void>;
}

/** Opens a gate on a free port. @param target `host:port` of the server */
export async function openHttpGate(target: string): Promise<HttpGate> {
  const [hostname = '', port] = target.split(':');
  let verdictOf: (request: GatedRequest) => GateVerdict | undefined = () => undefined;
  const server = createServer((incoming, outgoing) => {
    const { method = '', url: path = '' } = incoming;
    const verdict = verdictOf({ method, path });
    const isAnswered = verdict !== undefined && 'status' in verdict;
    const done = isAnswered
      ? answer(incoming, outgoing, verdict)
      : pass(incoming, outgoing, { hostname, port: Number(port), cutAfter: verdict?.cutAfter });
    // If one side ends its connection, the other one is closed as well; there is nothing to report.
    done.catch(() => outgoing.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    judge: (rule) => void (verdictOf = rule),
    release: () => void (verdictOf = () => undefined),
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Responds without reading the request body, like an overloaded server. */
async function answer(incoming: IncomingMessage, outgoing: ServerResponse, { status, body = '' }: Refusal): Promise<void> {
  incoming.resume();
  outgoing.writeHead(status, { 'content-type': 'application/xml', 'content-length': Buffer.byteLength(body) }).end(body);
}

interface Passage {
  readonly hostname: string;
  readonly port: number;
  readonly cutAfter: number | undefined;
}

async function pass(incoming: IncomingMessage, outgoing: ServerResponse, { hostname, port, cutAfter }: Passage): Promise<void> {
  const { method, url: path, rawHeaders: headers } = incoming;
  const passed = request({ hostname, port, method, path, headers, setHost: false });
  const answered = once(passed, 'response') as Promise<[IncomingMessage]>;
  const [, [response]] = await Promise.all([pipeline(incoming, passed), answered]);
  if (cutAfter === 0) return void outgoing.destroy();
  outgoing.writeHead(response.statusCode ?? 502, response.rawHeaders);
  await (cutAfter === undefined ? pipeline(response, outgoing) : pipeline(response, firstBytes(cutAfter), outgoing));
}

/** Forwards the first bytes, then fails, so that the response is incomplete. */
function firstBytes(bytes: number) {
  return async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let left = bytes;
    for await (const chunk of chunks) {
      yield chunk.subarray(0, left);
      left -= chunk.byteLength;
      if (left <= 0) throw new Error('The answer is cut here.');
    }
  };
}
