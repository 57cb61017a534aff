import type { FairLimiter, FairLimits } from './fair-limiter.js';

/**
 * Answers that are held in memory as a whole, such as pages of lists: those that a replica makes at a time, and those of one institution.
 * Hundreds would take its memory, and the time of everybody else.
 */
export const ANSWERS: FairLimits = { atATime: 16, perKey: 4 };

/** Who waits for an answer. */
interface Asking {
  readonly institutionId: string;
  /** Aborts when it leaves: then it leaves the line, too. */
  readonly signal: AbortSignal;
  /** Resolves when it has taken the answer, or has left. */
  readonly over: Promise<void>;
}

/**
 * Streams an answer of an institution in its turn. The place is held until the answer was taken, because what waits to be sent is in memory,
 * too; and as long as it is being made for somebody who has left, since that cannot be stopped.
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
