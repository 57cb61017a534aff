import type { Server } from '@grpc/grpc-js';

/**
 * How many streams a client may reset on a connection: at once, and in a second. A reset is a cancelled call, and with the defaults of Node (1,000 and
 * 33), which protect servers from strangers, the connection breaks after some thousand of them. Here the clients are services: all requests of a
 * gateway to a service share a connection, and each client of the API that disconnects while it waits cancels a call.
 */
const RESETS = { streamResetBurst: 100_000, streamResetRate: 100_000 } as const;

/**
 * How many calls a connection survives that Node refuses because of `grpc.max_concurrent_streams`, 100 by default. A client that keeps to the limit meets
 * such refusals, too: Node still counts a cancelled call for a moment after it has ended for the client.
 */
const REFUSALS = { maxSessionRejectedStreams: 100_000 } as const;

/** Sets the limits for cancelled and refused calls, for which grpc-js has no options. Call this before the server is bound. */
export function allowResets(server: Server): void {
  const options: unknown = Reflect.get(server, 'commonServerOptions');
  if (typeof options !== 'object' || options === null) throw new Error('This version of grpc-js keeps the options of Node elsewhere.');
  Object.assign(options, RESETS, REFUSALS);
}
