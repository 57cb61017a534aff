import type { FairLimiter, FairLimits } from './fair-limiter.js';

/**
 * Limits for responses that are held in memory as a whole, such as pages of lists: per replica, and per institution. Hundreds at the same
 * time would exhaust the memory of the replica and delay everybody else.
 */
export const ANSWERS: FairLimits = { concurrency: 16, perKey: 4 };

/** The caller that waits for a response. */
interface WaitingCaller {
  readonly institutionId: string;
  /** Aborts when the caller disconnects; a waiting caller is then removed from the queue. */
  readonly signal: AbortSignal;
  /** Resolves when the caller has received the response or has disconnected. */
  readonly over: Promise<void>;
}

/**
 * Streams a response as soon as the limiter grants the institution a slot. The slot is held until the response has been received, because
 * data that waits to be sent also occupies memory. If the caller disconnects, the slot is held until the computation has ended, because it
 * cannot be stopped.
 */
export async function* streamInTurn<T>(
  inTurn: FairLimiter,
  { institutionId, signal, over }: WaitingCaller,
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
