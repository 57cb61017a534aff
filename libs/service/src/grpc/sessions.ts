import { subscribe } from 'node:diagnostics_channel';
import { constants, type Http2Session, type Http2Stream } from 'node:http2';
import { performance } from 'node:perf_hooks';
import { clearTimeout, setImmediate, setTimeout } from 'node:timers';
import { widenWindow } from './connection-window.js';

type Pong = (error: Error | null, duration: number, payload: Buffer) => void;
type Ping = (callback: Pong) => boolean;

const streams = new WeakMap<Http2Session, SessionStreams>();
/** Marks patched sessions, in case this module is loaded more than once, as by Jest. */
const PATCHED = Symbol.for('stechuhr.sessions');
let watching = false;

interface SessionStreams {
  open: number;
  /** When the last stream ended, by `performance.now()`. */
  endedAt: number;
  onEnd?: () => void;
}

/** How long a ping may stay without a response before the connection is dropped, in milliseconds. */
const ANSWER_MS = { ofServer: 3_500, ofClient: 10_000 };
/**
 * How long grpc-js itself waits for the response to a ping (`grpc.keepalive_timeout_ms`), in milliseconds. It counts only for connections without
 * a call so far, and is long because its timer may run before a response is read that has arrived while this process got no CPU time.
 */
export const PING_TIMEOUT_MS = 20_000;
/** A timer that is late by this time, in milliseconds, shows that this process got no CPU time. */
const LATE_MS = 50;

/** How long a stopping server leaves its clients to read the last data before it closes the connection, in milliseconds. */
const READ_MS = 1_000;

/**
 * Patches HTTP/2 sessions where grpc-js has no options: their window is widened ({@link widenWindow}), closed streams let go of their call
 * ({@link letGo}), and running calls survive the graceful end of their connection (announced when a server stops, or when the connection has become too old), and the suspension of a process. Without it,
 * calls fail for three reasons:
 *
 * - Node does not send pings on a session that accepts no further streams, and grpc-js takes the missing response for a dead connection.
 * - Node's server closes the connection after writing the last byte; data that the client has received but not read yet is lost.
 * - In a process that got no CPU time for a while, or blocked its event loop, the timeout of a ping expires before the response that has
 *   arrived meanwhile is read, and grpc-js drops the connection. So pings have timeouts of ours here.
 */
export function patchSessions(): void {
  if (watching) return;
  watching = true;
  watchStreams('http2.client.stream.created', (session) => {
    widenWindow(session);
    patchPing(session, ANSWER_MS.ofServer);
    // The previous ping may have been lost with a server that has stopped since the connection was made. Node sends none before that.
    if (!session.connecting) session.ping((error) => error !== null && session.destroy(noAnswer()));
  });
  watchStreams('http2.server.stream.created', (session, own) => {
    widenWindow(session);
    patchPing(session, ANSWER_MS.ofClient);
    patchClose(session, own);
  });
}

function watchStreams(channel: string, patch: (session: Http2Session, own: SessionStreams) => void): void {
  subscribe(channel, (message) => {
    const { stream } = message as { readonly stream: Http2Stream };
    const { session } = stream;
    if (session === undefined || (PATCHED in session && !streams.has(session))) return;
    const own = streams.get(session) ?? { open: 0, endedAt: 0 };
    if (!streams.has(session)) {
      Object.defineProperty(session, PATCHED, { value: true });
      streams.set(session, own);
      patch(session, own);
    }
    if (own.onEnd !== undefined) refuse(stream);
    own.open += 1;
    stream.once('close', () => {
      own.open -= 1;
      own.endedAt = performance.now();
      own.onEnd?.();
      letGo(stream);
    });
  });
}

/**
 * Removes the listeners of a closed stream. Its handle keeps the stream until the next full garbage collection, and with its listeners all
 * objects of the call: a third of what the gateway allocates for a small request survived the collections of the young generation for that.
 */
function letGo(stream: Http2Stream): void {
  // Otherwise the others are removed, and announced, one by one.
  stream.removeAllListeners('removeListener');
  stream.removeAllListeners();
  stream.on('error', () => undefined);
}

function patchPing(session: Http2Session, answerMs: number): void {
  const ping = session.ping.bind(session) as Ping;
  const pingAnyway: Ping = (callback) => {
    Object.defineProperty(session, 'closed', { value: false, configurable: true });
    try {
      return ping(within(answerMs, callback));
    } finally {
      Reflect.deleteProperty(session, 'closed');
    }
  };
  session.ping = pingAnyway as Http2Session['ping'];
}

/**
 * Fails a ping that is not answered in time. It is treated as answered if this process could not have read the response in time; the next ping
 * decides.
 */
function within(answerMs: number, callback: Pong): Pong {
  const dueAt = performance.now() + answerMs;
  let isOver = false;
  const end: Pong = (...answer) => {
    clearTimeout(timer);
    if (!isOver) callback(...answer);
    isOver = true;
  };
  const fail = (): void => end(noAnswer(), answerMs, Buffer.alloc(0));
  const timer = setTimeout(() => {
    if (performance.now() - dueAt >= LATE_MS) end(null, answerMs, Buffer.alloc(0));
    // What has arrived is read first.
    else setImmediate(fail);
  }, answerMs).unref();
  return end;
}

/** An error of this code makes grpc-js end the calls of a session as `UNAVAILABLE`; without one, they would end as `INTERNAL`. */
function noAnswer(): Error {
  return Object.assign(new Error('The ping was not answered in time.'), { code: 'ETIMEDOUT' });
}

/**
 * Refuses a stream that arrives between the call of `goaway()` and the moment its frame is written. The frame names the last stream before it, so the
 * client executes later ones again on another connection (RFC 9113, section 6.8); executed here as well, each would be executed twice.
 */
function refuse(stream: Http2Stream): void {
  stream.on('error', () => undefined);
  stream.close(constants.NGHTTP2_REFUSED_STREAM);
}

/** Hides refused streams from the server. */
function hideRefused(session: Http2Session): void {
  const emit = session.emit.bind(session);
  session.emit = (event: string | symbol, ...values: unknown[]): boolean => {
    const isRefused = event === 'stream' && (values[0] as Http2Stream).rstCode === constants.NGHTTP2_REFUSED_STREAM;
    return !isRefused && emit(event, ...values);
  };
}

function patchClose(session: Http2Session, own: SessionStreams): void {
  const close = session.close.bind(session);
  const closeOnceRead = () => {
    if (own.open === 0) setTimeout(() => close(), Math.max(0, own.endedAt + READ_MS - performance.now()));
  };
  session.close = (callback) => {
    if (callback !== undefined) session.once('close', callback);
    if (own.onEnd !== undefined || session.destroyed) return;
    own.onEnd = closeOnceRead;
    hideRefused(session);
    session.goaway();
    closeOnceRead();
  };
}
