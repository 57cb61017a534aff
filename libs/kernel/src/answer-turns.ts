import { AppError } from './app-error.js';
import { createFairLimiter, type FairLimits } from './fair-limiter.js';

/**
 * Limits for responses that are held in memory as a whole, such as pages of lists: per replica, and per institution. Hundreds at the same
 * time would exhaust the memory of the replica and delay everybody else.
 */
export const ANSWERS: FairLimits = { concurrency: 16, perKey: 4 };

/**
 * How long a response may have waited for its reader, in milliseconds, before it gives up its slot to another institution that waits. A few
 * institutions that read slowly would otherwise hold all slots for a quarter of an hour.
 */
export const SLOW_READER_MS = 30_000;
/**
 * How long the requests of an institution for pages may wait before further ones are refused, in milliseconds. The gateway waits for five seconds: the
 * rest is for computing the page.
 */
export const PATIENCE_MS = 3_000;
/** How often a waiting caller looks for such a response, in milliseconds. */
const LOOK_MS = 5_000;

/** The caller that receives a response. */
interface AnsweredCaller {
  readonly institutionId: string;
  /** Aborts when the caller disconnects; a waiting caller is then removed from the queue. */
  readonly signal: AbortSignal;
  /** Resolves when the caller has received the response or has disconnected. */
  readonly over: Promise<void>;
  /** Ends the response although the caller has not received all of it. Without it, a slow reader keeps its slot. */
  end?(error: AppError): void;
}

/** Slots for responses; see {@link createAnswerTurns}. */
export interface AnswerTurns {
  /** Streams a response as soon as the institution gets a slot. @throws the reason of the signal if it aborts before */
  stream<T>(caller: AnsweredCaller, answer: () => AsyncIterable<T>): AsyncGenerator<T, void, undefined>;
}

/**
 * Creates slots for responses, for which institutions take turns. A slot is held until the response has been received, because data that
 * waits to be sent also occupies memory. If the caller disconnects, the slot is held until the computation has ended, because it cannot be
 * stopped. While requests of an institution have waited for more than `patienceMs`, further ones are refused. If all slots are taken, the response that has waited longest for its reader is ended with `rate_limited`, provided that it has
 * waited for more than `slowMs`.
 */
export function createAnswerTurns(
  limits: FairLimits,
  { slowMs = SLOW_READER_MS, lookMs = LOOK_MS, patienceMs = PATIENCE_MS } = {},
): AnswerTurns {
  const inTurn = createFairLimiter(limits);
  const held = new Set<HeldSlot>();
  const endSlowest = (institutionId: string): void => {
    const own = [...held].filter((slot) => slot.caller.institutionId === institutionId);
    if (held.size < limits.concurrency || own.length >= limits.perKey) return;
    const [slowest] = [...held].filter((slot) => slot.isEndable()).sort((a, b) => b.waitedMs() - a.waitedMs());
    if (slowest !== undefined && slowest.waitedMs() >= slowMs) slowest.end();
  };
  const enter = async (caller: AnsweredCaller, slot: HeldSlot): Promise<void> => {
    let looking: NodeJS.Timeout | undefined;
    try {
      await new Promise<void>((resolve, reject) => {
        const hold = async () => {
          held.add(slot);
          resolve();
          await Promise.all([slot.made, caller.over]);
          held.delete(slot);
        };
        inTurn(caller.institutionId, hold, { signal: caller.signal, patienceMs }).catch(reject);
        if (!held.has(slot)) looking = setInterval(() => endSlowest(caller.institutionId), lookMs).unref();
      });
    } finally {
      clearInterval(looking);
    }
  };
  return {
    async *stream(caller, answer) {
      const slot = new HeldSlot(caller);
      await enter(caller, slot);
      try {
        for await (const part of answer()) {
          slot.waitsForReader();
          yield part;
          slot.goesOn();
        }
      } finally {
        slot.waitsForReader();
        slot.setMade();
      }
    },
  };
}

/** A slot, and how long its response has waited for the reader. */
class HeldSlot {
  readonly #made = Promise.withResolvers<void>();
  #waitedMs = 0;
  #waitsSince: number | undefined;
  #hasEnded = false;

  constructor(readonly caller: AnsweredCaller) {}

  /** Resolves when nothing more is computed. */
  get made(): Promise<void> {
    return this.#made.promise;
  }

  setMade(): void {
    this.#made.resolve();
  }

  waitsForReader(): void {
    this.#waitsSince ??= performance.now();
  }

  goesOn(): void {
    this.#waitedMs = this.waitedMs();
    this.#waitsSince = undefined;
  }

  waitedMs(): number {
    return this.#waitedMs + (this.#waitsSince === undefined ? 0 : performance.now() - this.#waitsSince);
  }

  isEndable(): boolean {
    return this.caller.end !== undefined && !this.#hasEnded;
  }

  end(): void {
    this.#hasEnded = true;
    this.caller.end?.(new AppError('rate_limited', 'The response was read too slowly while others waited.'));
  }
}
