import { subscribe } from 'node:diagnostics_channel';
import type { Http2Session } from 'node:http2';

type Pinged = Parameters<Http2Session['ping']>;
type Answered = (error: Error | null, durationMs: number, payload: Buffer) => void;

const STREAMS = ['http2.server.stream.created', 'http2.client.stream.created'];
const NO_PAYLOAD = Buffer.alloc(8);

const known = new WeakSet<Http2Session>();
let watching = false;

/**
 * Lets calls outlive the age of their connection. Once either side has said that it takes no further streams, Node refuses to ping, and
 * grpc-js takes that for a dead connection: its keepalive would cut off every call that lasts until then, on both sides. Such a session
 * answers pings itself; whether the other side is alive is then up to the deadline of its last calls.
 */
export function keepClosingSessions(): void {
  if (watching) return;
  watching = true;
  for (const channel of STREAMS) {
    subscribe(channel, (message) => {
      const { session } = (message as { readonly stream: { readonly session?: Http2Session } }).stream;
      if (session !== undefined && !known.has(session)) answerPings(session);
    });
  }
}

function answerPings(session: Http2Session): void {
  known.add(session);
  const ping = session.ping.bind(session) as (...args: Pinged) => boolean;
  session.ping = (...args: unknown[]) => {
    if (!session.closed || session.destroyed) return ping(...(args as Pinged));
    setImmediate(args.at(-1) as Answered, null, 0, NO_PAYLOAD);
    return true;
  };
}
