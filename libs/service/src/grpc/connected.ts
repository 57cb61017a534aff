import { connectivityState, type Client } from '@grpc/grpc-js';
import { AppError } from '@stechuhr/kernel';

/** How long a call waits for a service without a connection: long enough to bridge a restart, and short enough to respond with 503. */
const CONNECT_MS = 1_500;

/** If a timer fires this late, the process was held up and has not yet read what arrived meanwhile. */
const HELD_UP_MS = 50;

const patience = new WeakMap<object, number>();

/** Lets the calls of a client wait longer for a connection that is being established. */
export function waitToConnect(client: object, connectMs: number): void {
  patience.set(client, connectMs);
}

/**
 * Waits for a connection, but not until the deadline as gRPC would.
 * @throws AppError `unavailable`
 */
export async function connected(client: Client, deadline: number): Promise<void> {
  const stateOf = (): connectivityState => client.getChannel().getConnectivityState(true);
  const patientUntil = Math.min(deadline, Date.now() + (patience.get(client) ?? 0));
  let looksAgain = true;
  while (stateOf() !== connectivityState.READY) {
    const limit = Math.min(deadline, Date.now() + CONNECT_MS);
    const failure = await readyBy(client, limit);
    if (failure === undefined) return;
    if (looksAgain && limit < deadline && Date.now() - limit >= HELD_UP_MS) {
      // Only once: a process may be held up every time although the service is gone.
      looksAgain = false;
      continue;
    }
    // The connection was refused, or takes too long.
    if (stateOf() !== connectivityState.CONNECTING || Date.now() >= patientUntil) {
      throw new AppError('unavailable', 'A service is not available.', { cause: new NoConnectionError(failure.message) });
    }
  }
}

function readyBy(client: Client, deadline: number): Promise<Error | undefined> {
  return new Promise((resolve) => client.waitForReady(deadline, resolve));
}

/** Nothing answers at the address, so the call was not sent. */
class NoConnectionError extends Error {
  override readonly name = 'NoConnectionError';
}

/** Whether a call failed because nothing answered at the address, so that nothing was sent; false if a connection broke. */
export function isUnreached({ cause }: AppError): boolean {
  // The error of grpc-js has no code of its own.
  return cause instanceof NoConnectionError || (cause instanceof Error && cause.message.includes('No connection established'));
}
