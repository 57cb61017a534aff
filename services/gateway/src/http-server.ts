import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import type { Logger } from '@stechuhr/kernel';
import { RUN_STALL_MS } from '@stechuhr/service';
import { answerBrokenRequests } from './http/broken-requests.js';

interface HttpServerOptions {
  readonly host: string;
  readonly port: number;
  readonly listener: RequestListener;
  /** Hears of what is no request. */
  readonly logger?: Logger;
}

export interface HttpServer {
  readonly port: number;
  /** Stops accepting, lets running answers finish, and breaks off those that are silent for too long or still run in the end. */
  stop(grace: DrainGrace): Promise<void>;
}

/** How long running answers may take once the server stops. */
export interface DrainGrace {
  /** For all of it. */
  readonly totalMs: number;
  /** Without a byte in either direction. */
  readonly silentMs: number;
}

const LIMITS = {
  // Hundreds of ids fit into a query.
  maxHeaderSize: 64 * 1024,
  // How long a client may take to send its headers and its whole request: so that a connection cannot be held by sending slowly.
  headersTimeout: 15_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 5_000,
  // Longer than the idle time of common proxies (60 s, those written in Go 90 s), so that the side that reuses a connection is the side
  // that closes it.
  keepAliveTimeout: 120_000,
  // Node would answer those without a body; the listener does.
  requireHostHeader: false,
};

/**
 * No byte in either direction for so long ends a connection: a client that stopped reading does not hold an export forever. What a service
 * leaves unanswered has been answered with 503 by then.
 */
export const IDLE_MS = RUN_STALL_MS + 30_000;

/** Requests of a connection that wait for the answers before theirs. Few clients send one before they have the answer to the last. */
const MAX_WAITING_REQUESTS = 100;

/** For how long connections on which nothing happens stay open once the server stops: those in use end with their next answer. */
const PARTING_MS = 2_000;

export async function startHttpServer({ host, port, listener, logger }: HttpServerOptions): Promise<HttpServer> {
  const queues = new WeakMap<Socket, Queue>();
  const server = createServer(LIMITS, oneAfterTheOther(listener, queues));
  // Without a listener Node answers other expectations than 100-continue without a body.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  const connections = countAnswers(server);
  answerBrokenRequests(server, { maxHeaderSize: LIMITS.maxHeaderSize, latest: (socket) => queues.get(socket), logger });
  server.setTimeout(IDLE_MS, (socket) => end(socket, connections.get(socket)));
  server.listen(port, host);
  await once(server, 'listening');
  return { port: portOf(server), stop: (grace) => stop(server, connections, grace) };
}

/** The requests of a connection that have no whole answer yet. */
interface Queue {
  /** Those behind the first. */
  waiting: number;
  /** The answer to the latest. */
  last: ServerResponse;
}

/**
 * Answers the requests of a connection in their order, each once the client has taken the answer before it. Node would run all that arrive
 * together at once, a thousand in 64 KiB, and keep their answers until they are read. A connection on which too many wait is reset.
 */
function oneAfterTheOther(listener: RequestListener, queues: WeakMap<Socket, Queue>): RequestListener {
  return (request, response) => {
    const { socket } = request;
    const queue = queues.get(socket);
    const before = queue?.last;
    if (queue === undefined || before === undefined || before.closed) {
      queues.set(socket, { waiting: 0, last: response });
      listener(request, response);
      return;
    }
    queue.last = response;
    queue.waiting += 1;
    if (queue.waiting > MAX_WAITING_REQUESTS) socket.resetAndDestroy();
    else
      before.once('close', () => {
        queue.waiting -= 1;
        if (!socket.destroyed) listener(request, response);
      });
  };
}

/** Open connections and the number of answers that each still owes; Node counts one that never sent a byte as busy. */
function countAnswers(server: Server): ReadonlyMap<Socket, number> {
  const owed = new Map<Socket, number>();
  const add = (socket: Socket, change: number) => owed.set(socket, (owed.get(socket) ?? 0) + change);
  server.on('connection', (socket) => {
    add(socket, 0);
    socket.once('close', () => owed.delete(socket));
  });
  server.on('request', ({ socket }, response) => {
    add(socket, 1);
    response.once('close', () => owed.has(socket) && add(socket, -1));
  });
  return owed;
}

/** Where an answer is owed it is a reset: to a client of HTTP/1.0, an ordinary end would look like the end of a complete one. */
function end(socket: Socket, owed: number | undefined): void {
  if (owed) socket.resetAndDestroy();
  else socket.destroySoon();
}

async function stop(server: Server, connections: ReadonlyMap<Socket, number>, { totalMs, silentMs }: DrainGrace): Promise<void> {
  const closed = once(server, 'close');
  // Requests that still arrive on open connections are answered, each as the last of its connection.
  server.prependListener('request', (_, response) => response.setHeader('Connection', 'close'));
  const isSilent = silenceOf(connections, silentMs);
  const closeIdle = () => connections.forEach((owed, socket) => (owed === 0 || isSilent(socket)) && end(socket, owed));
  // Not before whatever is on its way has arrived: a request that meets a closed connection is lost to its client.
  let sweep: NodeJS.Timeout | undefined;
  const leave = setTimeout(
    () => {
      closeIdle();
      sweep = setInterval(closeIdle, 100);
    },
    Math.min(PARTING_MS, silentMs, totalMs),
  );
  const force = setTimeout(() => connections.forEach((owed, socket) => end(socket, owed)), totalMs);
  // That of HTTP would close what is idle at once.
  NetServer.prototype.close.call(server);
  await closed;
  server.close();
  for (const timer of [leave, force]) clearTimeout(timer);
  clearInterval(sweep);
}

/** Tells, as often as it is asked, on which connections no byte has moved for so long. */
function silenceOf(connections: ReadonlyMap<Socket, number>, silentMs: number): (socket: Socket) => boolean {
  const moved = new Map<Socket, { readonly bytes: number; readonly at: number }>();
  const look = (socket: Socket) => {
    const bytes = socket.bytesRead + socket.bytesWritten - socket.writableLength;
    const before = moved.get(socket);
    const last = before?.bytes === bytes ? before : { bytes, at: performance.now() };
    moved.set(socket, last);
    return last;
  };
  for (const socket of connections.keys()) look(socket);
  return (socket) => performance.now() - look(socket).at >= silentMs;
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server listens on no port.');
  return address.port;
}
