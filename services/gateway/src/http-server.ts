import { AsyncResource } from 'node:async_hooks';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import type { Logger } from '@stechuhr/kernel';
import { releasePort, RUN_STALL_MS } from '@stechuhr/service';
import { awaitBody } from './http/awaited-body.js';
import { answerBrokenRequests, refuseLate } from './http/broken-requests.js';
import { limitConnections } from './http/connection-limit.js';

interface HttpServerOptions {
  readonly host: string;
  readonly port: number;
  readonly listener: RequestListener;
  /** Connections that are open at a time; without a limit by default, or if it is 0. */
  readonly maxConnections?: number;
  /** Logs connections that sent something other than HTTP requests. */
  readonly logger?: Logger;
}

export interface HttpServer {
  readonly port: number;
  /**
   * Stops accepting connections and lets running responses finish. Responses that make no progress for too long, or that exceed the total time, are
   * aborted.
   */
  stop(grace: DrainGrace): Promise<void>;
}

/** How long running responses may take once the server stops. */
export interface DrainGrace {
  /** The limit for all responses together. */
  readonly totalMs: number;
  /** How long a connection may be idle. */
  readonly silentMs: number;
}

const LIMITS = {
  // Large enough for queries with hundreds of ids.
  maxHeaderSize: 64 * 1024,
  // How long a client may take to send its headers and its whole request, so that slow senders cannot occupy connections.
  headersTimeout: 15_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 5_000,
  // Longer than the idle timeout of common proxies (60 s, those written in Go 90 s), so that the side that reuses the connection is also the one that
  // closes it.
  keepAliveTimeout: 120_000,
  // Node would answer requests without a Host header without a body; the listener answers them properly.
  requireHostHeader: false,
};

/**
 * Connections without any traffic are closed after this time, so that a client which stopped reading does not hold an export forever. By then, a
 * request that a service left unanswered has been answered with 503.
 */
export const IDLE_MS = RUN_STALL_MS + 30_000;

/** The status of requests without a response in logs and metrics, as nginx has it: mostly, the client has disconnected. */
const CLIENT_CLOSED_REQUEST = 499;

/** Pipelined requests that may wait on one connection. Few clients pipeline at all. */
const MAX_WAITING_REQUESTS = 100;

/** How many bytes may arrive while they wait: their headers and bodies are held in memory, up to 128 KiB of each. */
const MAX_WAITING_BYTES = 256 * 1024;

/** How long idle connections stay open once the server stops. Connections in use are closed with their next response. */
const PARTING_MS = 2_000;

/** How often connections are looked at once the server stops. */
const SWEEP_MS = 100;

export async function startHttpServer({ host, port, listener, maxConnections = 0, logger }: HttpServerOptions): Promise<HttpServer> {
  const queues = new WeakMap<Socket, Queue>();
  const server = createServer(LIMITS);
  server.on('request', inOrder(server, listener, queues));
  // Without this listener, Node answers expectations other than 100-continue without a body.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  // Without this one, Node asks for every body, before the token is checked.
  server.on('checkContinue', (request, response) => {
    awaitBody(request, response);
    server.emit('request', request, response);
  });
  const connections = countAnswers(server);
  limitConnections(server, maxConnections);
  answerBrokenRequests(server, { maxHeaderSize: LIMITS.maxHeaderSize, latest: (socket) => queues.get(socket), logger });
  server.setTimeout(IDLE_MS, (socket) => end(socket, connections.get(socket)));
  releasePort(`${host}:${String(port)}`);
  server.listen(port, host);
  await once(server, 'listening');
  return { port: portOf(server), stop: (grace) => stop(server, connections, grace) };
}

/** The requests of a connection without a complete response. */
interface Queue {
  /** Requests behind the current one. */
  waiting: number;
  /** The response to the latest request. */
  last: ServerResponse;
  /** Whether the latest request has waited for earlier responses. */
  hasWaited: boolean;
  /** The bytes that had been read from the connection when the first of the waiting requests arrived. */
  readBefore: number;
}

/**
 * Handles the pipelined requests of a connection one by one, each once the client has read the previous response. Node would process all of them at
 * once, a thousand in 64 KiB, and keep the responses in memory. A connection with too many waiting requests, or too large ones, is reset.
 */
function inOrder(server: Server, listener: RequestListener, queues: WeakMap<Socket, Queue>): RequestListener {
  return (request, response) => {
    const { socket } = request;
    // The first of all listeners, so that all others, such as those of metrics, find the status. Until one is set, it is 200.
    response.prependOnceListener('close', () => {
      if (!response.headersSent) response.statusCode = CLIENT_CLOSED_REQUEST;
    });
    const queue = queues.get(socket);
    const before = queue?.last;
    if (queue === undefined || before === undefined || before.closed) {
      queues.set(socket, { waiting: 0, last: response, hasWaited: false, readBefore: 0 });
      listener(request, response);
      return;
    }
    const { bytesRead } = socket;
    queue.last = response;
    queue.hasWaited = true;
    queue.waiting += 1;
    if (queue.waiting === 1) queue.readBefore = bytesRead;
    if (queue.waiting > MAX_WAITING_REQUESTS || bytesRead - queue.readBefore > MAX_WAITING_BYTES) socket.resetAndDestroy();
    else
      before.once(
        'close',
        // The listener runs in the trace of this request, not in that of the one before.
        AsyncResource.bind(() => {
          queue.waiting -= 1;
          queue.readBefore = bytesRead;
          // Behind the last response of a connection none can be sent, and the client repeats the request (RFC 9112, section 9.6).
          if (!socket.writable) return;
          limitArrival(server, request);
          listener(request, response);
        }),
      );
  };
}

/**
 * Limits how long the rest of a request may take to arrive from its turn on. While it waited, no more than the start of its body was read, so the time
 * that Node measures does not count.
 */
function limitArrival(server: Server, request: IncomingMessage): void {
  if (request.complete) return;
  const { socket } = request;
  const timer = setTimeout(() => refuseLate(server, socket), server.requestTimeout);
  for (const event of ['end', 'close']) request.once(event, () => clearTimeout(timer));
}

/** Counts the outstanding responses of each open connection. Node itself counts a connection that never sent a byte as busy. */
function countAnswers(server: Server): ReadonlyMap<Socket, number> {
  const outstanding = new Map<Socket, number>();
  const add = (socket: Socket, change: number) => outstanding.set(socket, (outstanding.get(socket) ?? 0) + change);
  server.on('connection', (socket) => {
    add(socket, 0);
    socket.once('close', () => outstanding.delete(socket));
  });
  server.on('request', ({ socket }, response) => {
    add(socket, 1);
    response.once('close', () => outstanding.has(socket) && add(socket, -1));
  });
  return outstanding;
}

/**
 * Closes a connection. If a response is outstanding, the connection is reset: an HTTP/1.0 client would take an ordinary end for the end of
 * a complete response.
 */
function end(socket: Socket, outstanding: number | undefined): void {
  if (outstanding) socket.resetAndDestroy();
  else socket.destroySoon();
}

async function stop(server: Server, connections: ReadonlyMap<Socket, number>, { totalMs, silentMs }: DrainGrace): Promise<void> {
  const closed = once(server, 'close');
  // Requests that still arrive on open connections are answered, each as the last one of its connection.
  server.prependListener('request', (_, response) => response.setHeader('Connection', 'close'));
  // Idle connections are kept open for a moment: a request that is on its way to a closed connection would be lost to its client.
  let isParting = false;
  const leave = setTimeout(() => (isParting = true), Math.min(PARTING_MS, silentMs, totalMs));
  const silenceOf = countSilence(connections.keys());
  const sweep = setInterval(
    () =>
      connections.forEach((outstanding, socket) => {
        if (silenceOf(socket) >= silentMs || (isParting && outstanding === 0)) end(socket, outstanding);
      }),
    SWEEP_MS,
  );
  const force = setTimeout(() => connections.forEach((outstanding, socket) => end(socket, outstanding)), totalMs);
  // The close method of the HTTP server would close idle connections at once.
  NetServer.prototype.close.call(server);
  await closed;
  server.close();
  for (const timer of [leave, force]) clearTimeout(timer);
  clearInterval(sweep);
}

/**
 * Returns a function that tells for how many milliseconds a connection has had no traffic. It must be called every `SWEEP_MS`: calls are counted, not
 * the clock, so that time in which this process did not run, and could not write, is not taken for silence.
 */
function countSilence(sockets: Iterable<Socket>): (socket: Socket) => number {
  const last = new Map<Socket, { readonly bytes: number; readonly silentMs: number }>();
  const silenceOf = (socket: Socket) => {
    const bytes = socket.bytesRead + socket.bytesWritten - socket.writableLength;
    const before = last.get(socket);
    const silentMs = before?.bytes === bytes ? before.silentMs + SWEEP_MS : 0;
    last.set(socket, { bytes, silentMs });
    return silentMs;
  };
  for (const socket of sockets) silenceOf(socket);
  return silenceOf;
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server listens on no port.');
  return address.port;
}
