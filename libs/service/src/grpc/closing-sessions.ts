import { subscribe } from 'node:diagnostics_channel';
import type { Http2Session, Http2Stream } from 'node:http2';
import { performance } from 'node:perf_hooks';
import { clearTimeout, setTimeout } from 'node:timers';

type Pong = (error: Error | null, duration: number, payload: Buffer) => void;
type Ping = (callback: Pong) => boolean;

const streams = new WeakMap<Http2Session, SessionStreams>();
/** Marks patched sessions, in case this module is loaded more than once, as by Jest. */
const PATCHED = Symbol.for('stechuhr.closing-sessions');
let watching = false;

interface SessionStreams {
  open: number;
  /** When the last stream ended, by `performance.now()`. */
  endedAt: number;
  onEnd?: () => void;
}

/**
 * How long grpc-js waits for the response to a ping before it considers the connection dead (`grpc.keepalive_timeout_ms`), in milliseconds.
 */
export const ANSWER_MS = { ofServer: 3_500, ofClient: 10_000 };
/** How long before this timeout we check whether this process was suspended, in milliseconds. */
const CHECK_BEFORE_MS = 100;

/** How long a stopping server leaves its clients to read the last data before it closes the connection, in milliseconds. */
const READ_MS = 1_000;

/**
 * Patches HTTP/2 sessions so that running calls survive the graceful end of their connection (announced when a server stops, or when the
 * connection has become too old), and the suspension of a process. Without it, calls fail for three reasons:
 *
 * - Node does not send pings on a session that accepts no further streams, and grpc-js takes the missing response for a dead connection.
 * - Node's server closes the connection after writing the last byte; data that the client has received but not read yet is lost.
 * - In a process that got no CPU time for a while, or blocked its event loop, the timeout of a ping expires before the response that has
 *   arrived meanwhile is read, and grpc-js drops the connection.
 */
export function keepClosingSessions(): void {
  if (watching) return;
  watching = true;
  watchStreams('http2.client.stream.created', (session) => patchPing(session, ANSWER_MS.ofServer));
  watchStreams('http2.server.stream.created', (session, own) => {
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
    own.open += 1;
    stream.once('close', () => {
      own.open -= 1;
      own.endedAt = performance.now();
      own.onEnd?.();
    });
  });
}

function patchPing(session: Http2Session, answerMs: number): void {
  const ping = session.ping.bind(session) as Ping;
  const pingAnyway: Ping = (callback) => {
    Object.defineProperty(session, 'closed', { value: false, configurable: true });
    try {
      return ping(unlessHeldUp(callback, answerMs - CHECK_BEFORE_MS));
    } finally {
      Reflect.deleteProperty(session, 'closed');
    }
  };
  session.ping = pingAnyway as Http2Session['ping'];
}

/**
 * Treats a ping as answered if this process could not have read the response in time; the next ping decides. Timers fire in the order of
 * their due times, so this check runs before the timeout of grpc-js.
 */
function unlessHeldUp(callback: Pong, afterMs: number): Pong {
  const dueAt = performance.now() + afterMs;
  let isOver = false;
  const end: Pong = (...answer) => {
    clearTimeout(timer);
    if (!isOver) callback(...answer);
    isOver = true;
  };
  const timer = setTimeout(() => {
    if (performance.now() - dueAt >= CHECK_BEFORE_MS / 2) end(null, afterMs, Buffer.alloc(0));
  }, afterMs).unref();
  return end;
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
    session.goaway();
    closeOnceRead();
  };
}
