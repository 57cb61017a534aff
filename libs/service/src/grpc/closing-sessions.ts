import { subscribe } from 'node:diagnostics_channel';
import type { Http2Session, Http2Stream } from 'node:http2';
import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers';

type Ping = (...args: readonly unknown[]) => boolean;

const streams = new WeakMap<Http2Session, SessionStreams>();
/** Where this module is loaded more than once, as by Jest, a session is mended once. */
const MENDED = Symbol.for('stechuhr.closing-sessions');
let watching = false;

interface SessionStreams {
  open: number;
  /** When the last one ended, by `performance.now()`. */
  endedAt: number;
  onEnd?: () => void;
}

/** How long a client has to read what was written last, before a server that stops closes the connection. */
const READ_MS = 1_000;

/**
 * Lets calls outlive the end of their connection, which a server announces when it stops or when the connection has become too old. Two
 * things would break them:
 *
 * - Node does not ping on a session that takes no further streams, and grpc-js takes the missing answer for a dead connection.
 * - Node's server closes the connection when it has written the last byte, and what the client has received by then and not read yet is lost.
 */
export function keepClosingSessions(): void {
  if (watching) return;
  watching = true;
  watchStreams('http2.client.stream.created', pingWhileClosing);
  watchStreams('http2.server.stream.created', (session, own) => {
    pingWhileClosing(session);
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

function pingWhileClosing(session: Http2Session): void {
  const ping = session.ping.bind(session) as Ping;
  const pingAnyway: Ping = (...args) => {
    Object.defineProperty(session, 'closed', { value: false, configurable: true });
    try {
      return ping(...args);
    } finally {
      Reflect.deleteProperty(session, 'closed');
    }
  };
  session.ping = pingAnyway;
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
