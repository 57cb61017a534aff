import { connectivityState, type Client } from '@grpc/grpc-js';
import { AppError } from '@stechuhr/kernel';
import { NoConnectionError } from './status.js';

/** How long a call waits for a connection, in milliseconds: long enough to bridge a restart, and short enough to respond with 503. */
const CONNECT_MS = 1_500;

/** If a timeout fires this late, the process was suspended and has not yet read the data that arrived meanwhile. */
const HELD_UP_MS = 50;

const connectTimeouts = new WeakMap<object, number>();

/** Makes the calls of a client wait longer while a connection is being established. */
export function waitToConnect(client: object, connectMs: number): void {
  connectTimeouts.set(client, connectMs);
}

/** Waits for a connection. gRPC itself would let a call wait for it until its deadline. @throws AppError `unavailable` */
export async function connected(client: Client, deadline: number): Promise<void> {
  const stateOf = (): connectivityState => client.getChannel().getConnectivityState(true);
  const waitsUntil = Math.min(deadline, Date.now() + (connectTimeouts.get(client) ?? 0));
  let mayRetry = true;
  while (stateOf() !== connectivityState.READY) {
    const limit = Math.min(deadline, Date.now() + CONNECT_MS);
    const failure = await readyBy(client, limit);
    if (failure === undefined) return;
    if (mayRetry && limit < deadline && Date.now() - limit >= HELD_UP_MS) {
      // Only once: a process may be late every time although the service is unavailable.
      mayRetry = false;
      continue;
    }
    // The connection was refused or takes too long.
    if (stateOf() !== connectivityState.CONNECTING || Date.now() >= waitsUntil) {
      throw new AppError('unavailable', 'A service is not available.', { cause: new NoConnectionError(failure.message) });
    }
  }
}

function readyBy(client: Client, deadline: number): Promise<Error | undefined> {
  return new Promise((resolve) => client.waitForReady(deadline, resolve));
}
