import type { FairLimiter, FairLimits } from './fair-limiter.js';

/**
 * Limits for responses that are held in memory as a whole, such as pages of lists: how many a replica creates at a time, and how many for one
 * institution. Hundreds of them would need too much memory, and delay everybody else.
 */
export const ANSWERS: FairLimits = { atATime: 16, perKey: 4 };

/** The client that waits for a response. */
interface Asking {
  readonly institutionId: string;
  /** Aborts when the client disconnects; it then leaves the queue. */
  readonly signal: AbortSignal;
  /** Resolves when the client has read the response, or has disconnected. */
  readonly over: Promise<void>;
}

/**
 * Streams a response of an institution when it is its turn. The slot is held until the response was read, because unsent data is in memory too. It is
 * also held while the response is being created for a client that has disconnected, since that cannot be stopped.
 */
export async function* streamInTurn<T>(
  inTurn: FairLimiter,
  { institutionId, signal, over }: Asking,
  answer: () => AsyncIterable<T>,
): AsyncGenerator<T, void, undefined> {
  const made = Promise.withResolvers<void>();
  await new Promise<void>((enter, refuse) => {
    const hold = async () => {
      enter();
      await Promise.all([made.promise, over]);
    };
    inTurn(institutionId, hold, signal).catch(refuse);
  });
  try {
    yield* answer();
  } finally {
    made.resolve();
  }
}
