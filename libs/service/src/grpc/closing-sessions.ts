import { subscribe } from 'node:diagnostics_channel';
import type { Http2Session, Http2Stream } from 'node:http2';
import { performance } from 'node:perf_hooks';
import { clearTimeout, setTimeout } from 'node:timers';

type Pong = (error: Error | null, duration: number, payload: Buffer) => void;
type Ping = (callback: Pong) => boolean;

const streams = new WeakMap<Http2Session, SessionStreams>();
/** A global symbol, so that a session is patched only once even if this module is loaded several times, as by Jest. */
const MENDED = Symbol.for('stechuhr.closing-sessions');
let watching = false;

interface SessionStreams {
  open: number;
  /** When the last one ended, by `performance.now()`. */
  endedAt: number;
  onEnd?: () => void;
}

/** How long grpc-js waits for the response to a ping before it considers the connection dead (`grpc.keepalive_timeout_ms`). */
export const ANSWER_MS = { ofServer: 3_500, ofClient: 10_000 };
/** How long before that time it is checked whether this process was held up. */
const LOOK_BEFORE_MS = 100;

/** How long a client has to read the last data before a stopping server closes the connection. */
const READ_MS = 1_000;

/**
 * Lets calls survive the announced end of their connection (because its server stops, or because it is too old) and a process that was held up. Three
 * things would abort them:
 * - Node does not send pings on a session that accepts no further streams, and grpc-js takes the missing response for a dead connection.
 * - Node's server closes the connection when it has written the last byte, so that data which the client has received but not read is lost.
 * - A process that got no processor for a while, or blocked its event loop, finds that the time for the response to a ping has passed before it reads
 * what has arrived meanwhile, and grpc-js drops the connection.
 */
export function keepClosingSessions(): void {
  if (watching) return;
  watching = true;
  watchStreams('http2.client.stream.created', (session) => pingFairly(session, ANSWER_MS.ofServer));
  watchStreams('http2.server.stream.created', (session, own) => {
    pingFairly(session, ANSWER_MS.ofClient);
    leaveTimeToRead(session, own);
  });
}

function watchStreams(channel: string, mend: (session: Http2Session, own: SessionStreams) => void): void {
  subscribe(channel, (message) => {
    const { stream } = message as { readonly stream: Http2Stream };
    const { session } = stream;
    if (session === undefined || (MENDED in session && !streams.has(session))) return;
    const own = streams.get(session) ?? { open: 0, endedAt: 0 };
    if (!streams.has(session)) {
      Object.defineProperty(session, MENDED, { value: true });
      streams.set(session, own);
      mend(session, own);
    }
    own.open += 1;
    stream.once('close', () => {
      own.open -= 1;
      own.endedAt = performance.now();
      own.onEnd?.();
    });
  });
}

function pingFairly(session: Http2Session, answerMs: number): void {
  const ping = session.ping.bind(session) as Ping;
  const pingAnyway: Ping = (callback) => {
    Object.defineProperty(session, 'closed', { value: false, configurable: true });
    try {
      return ping(unlessHeldUp(callback, answerMs - LOOK_BEFORE_MS));
    } finally {
      Reflect.deleteProperty(session, 'closed');
    }
  };
  session.ping = pingAnyway as Http2Session['ping'];
}

/**
 * Counts a ping as answered if this process could not have read the response in time; the next ping decides. Timers fire in the order of their times.
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
    if (performance.now() - dueAt >= LOOK_BEFORE_MS / 2) end(null, afterMs, Buffer.alloc(0));
  }, afterMs).unref();
  return end;
}

function leaveTimeToRead(session: Http2Session, own: SessionStreams): void {
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
