import { STATUS_CODES, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { newId, type Logger } from '@stechuhr/kernel';

interface LatestRequest {
  /** The response to it. */
  readonly last: ServerResponse;
  /** The number of requests that wait for their responses. */
  readonly waiting: number;
  /** Whether it has waited for earlier responses. Its time to arrive is then limited by {@link refuseLate}. */
  readonly hasWaited: boolean;
}

interface BrokenRequestOptions {
  readonly maxHeaderSize: number;
  /** Returns what is known of the latest request of a connection, if there was one. */
  readonly latest: (socket: Socket) => LatestRequest | undefined;
  readonly logger: Logger | undefined;
}

const NO_REQUEST = 'The request is not valid HTTP.';
/** Advice for requests of clients that do not encode addresses, such as curl. */
const UNENCODED = `${NO_REQUEST} In an address, letters such as ü and spaces have to be percent-encoded (%C3%BC, %20).`;

/** Node's code for a request that does not arrive in time, and ours. */
const NODE_LATE = 'ERR_HTTP_REQUEST_TIMEOUT';
const LATE = 'REQUEST_TIMEOUT';

/** Refuses the latest request of a connection because it does not arrive in time. */
export function refuseLate(server: Server, socket: Socket): void {
  server.emit('clientError', Object.assign(new Error('Request timeout'), { code: LATE }), socket);
}

/**
 * Answers requests that Node's parser cannot parse and so never passes to a listener. The responses have the format of all other errors
 * (docs/rules/api.md#errors). The connection is closed, because it is unknown where the next request begins.
 */
export function answerBrokenRequests(server: Server, { maxHeaderSize, latest, logger }: BrokenRequestOptions): void {
  const late = [408, 'The request did not arrive in time.'] as const;
  const refusals: Readonly<Record<string, readonly [status: number, detail: string]>> = {
    HPE_HEADER_OVERFLOW: [431, `The first line and the headers may have ${maxHeaderSize} bytes together.`],
    HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The extensions of a chunk are too large.'],
    HPE_INVALID_URL: [400, UNENCODED],
    // The parser expects the HTTP version after a space.
    HPE_INVALID_CONSTANT: [400, UNENCODED],
    [NODE_LATE]: late,
    [LATE]: late,
  };
  const refuse = ({ code }: NodeJS.ErrnoException, socket: Socket) => {
    if (!socket.writable) return;
    const [status, detail] = refusals[code ?? ''] ?? [400, NO_REQUEST];
    const requestId = newId();
    logger?.info({ request_id: requestId, status, code }, 'a request could not be read');
    socket.end(answer(status, requestId, { detail }), () => socket.destroy());
  };
  // The parser reports the error again for all further data.
  const broken = new WeakSet<Socket>();
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const request = latest(socket);
    if (broken.has(socket) || isHeldUp(error, request)) return;
    broken.add(socket);
    const { last: before, waiting = 0 } = request ?? {};
    if (!socket.writable) socket.destroy();
    // The request was answered before its body had arrived, and has one response only.
    else if (before?.closed === true && !before.req.complete) socket.destroySoon();
    else if (before === undefined || before.closed) refuse(error, socket);
    else if (before.req.complete) before.once('close', () => refuse(error, socket));
    // The body of the latest request is broken.
    else if (before.headersSent || waiting > 0) socket.resetAndDestroy();
    else refuse(error, socket);
  });
}

/** Returns whether a request seems late to Node because its body, however fast it was sent, was not read while the request waited. */
function isHeldUp({ code }: NodeJS.ErrnoException, latest: LatestRequest | undefined): boolean {
  return code === NODE_LATE && latest?.hasWaited === true && !latest.last.req.complete;
}

function answer(status: number, requestId: string, body: object): string {
  const text = JSON.stringify(body);
  const headers = {
    'X-Request-Id': requestId,
    Date: new Date().toUTCString(),
    Connection: 'close',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, '', text].join('\r\n');
}
