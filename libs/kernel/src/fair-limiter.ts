import { AppError } from './app-error.js';
import { waitInQueue, type WaitingLine } from './wait-in-queue.js';

/** The limits of {@link createFairLimiter}. */
export interface FairLimits {
  /** Maximum number of running tasks. */
  readonly concurrency: number;
  /** Maximum number of running tasks per key. Below `concurrency`, a single key can never occupy all slots. */
  readonly perKey: number;
  /** Maximum number of waiting tasks per key; unlimited by default. */
  readonly waitingPerKey?: number;
}

const TOO_LONG = 'Earlier requests have been waiting for too long. Try again later.';

/** How a task waits. */
export interface WaitTerms {
  /** Aborting it removes a waiting task from the queue. */
  readonly signal?: AbortSignal;
  /**
   * The task is refused if an earlier one of its key has already waited for longer, in milliseconds; by default it never is. Below the time for which
   * callers wait for an answer, it prevents that all of them wait for so long that none is answered in time.
   */
  readonly patienceMs?: number;
}

/** Runs a task for a key when a slot is free, and returns its result. */
export type FairLimiter = <T>(key: string, task: () => Promise<T>, terms?: WaitTerms) => Promise<T>;

/** The waiting tasks of a key, in order, with the times since when they wait. */
class Waiting implements WaitingLine {
  readonly #since = new Map<() => void, number>();

  get size(): number {
    return this.#since.size;
  }

  get first(): (() => void) | undefined {
    return this.#since.keys().next().value;
  }

  /** How long the first one has waited, in milliseconds. */
  get longestMs(): number {
    const { value: since } = this.#since.values().next();
    return since === undefined ? 0 : performance.now() - since;
  }

  add(enter: () => void): void {
    this.#since.set(enter, performance.now());
  }

  delete(enter: () => void): void {
    this.#since.delete(enter);
  }
}

interface Queue {
  running: number;
  readonly waiting: Waiting;
  /** The earliest round in which its next task may begin. */
  nextRound: number;
  /** When its last task began. */
  begunAt: number;
}

/**
 * Creates a limiter that runs at most `concurrency` tasks at the same time, and at most `perKey` tasks per key. Keys take turns; within a
 * key, tasks run in order. However many tasks of one key wait, the next task of another key gets the next slot. The rounds are those of
 * start-time fair queueing: a key whose queue becomes empty from time to time gets no advantage over a key that always has waiting tasks.
 *
 * @returns a function that rejects with AppError `rate_limited` when too many tasks of the key wait, or wait for too long although those before them
 *   end; with `unavailable` when they wait for too long because of other keys, or because running ones do not end; and with the signal's reason
 *   when the signal aborts before the task begins. Running tasks are not aborted.
 */
export function createFairLimiter({ concurrency, perKey, waitingPerKey = Number.POSITIVE_INFINITY }: FairLimits): FairLimiter {
  let free = concurrency;
  let round = 0;
  const queues = new Map<string, Queue>();
  const begin = (key: string, queue: Queue): void => {
    free -= 1;
    queue.running += 1;
    queue.begunAt = performance.now();
    round = Math.max(round, queue.nextRound);
    queue.nextRound = round + 1;
    // Moves the key behind the others of its round.
    queues.delete(key);
    queues.set(key, queue);
  };
  const callNext = (): void => {
    let chosen: [string, Queue] | undefined;
    for (const [key, queue] of queues) {
      if (queue.running === 0 && queue.waiting.size === 0 && queue.nextRound <= round) queues.delete(key);
      if (queue.waiting.size === 0 || queue.running >= perKey) continue;
      if (chosen === undefined || queue.nextRound < chosen[1].nextRound) chosen = [key, queue];
    }
    if (chosen === undefined) return;
    const next = chosen[1].waiting.first;
    begin(...chosen);
    next?.();
  };
  const tooLong = ({ running, begunAt }: Queue, patienceMs: number): AppError => {
    const isOwn = running >= perKey && performance.now() - begunAt <= patienceMs;
    return new AppError(isOwn ? 'rate_limited' : 'unavailable', TOO_LONG);
  };
  return async (key, task, { signal, patienceMs = Number.POSITIVE_INFINITY } = {}) => {
    signal?.throwIfAborted();
    const queue = queues.get(key) ?? { running: 0, waiting: new Waiting(), nextRound: round, begunAt: performance.now() };
    queue.nextRound = Math.max(queue.nextRound, round);
    // No waiting task is skipped: while a slot is free, all waiting tasks have reached the limit of their key.
    if (free > 0 && queue.running < perKey) begin(key, queue);
    else {
      if (queue.waiting.size >= waitingPerKey)
        throw new AppError('rate_limited', `At most ${String(waitingPerKey)} may wait; try again later.`);
      if (queue.waiting.longestMs > patienceMs) throw tooLong(queue, patienceMs);
      queues.set(key, queue);
      await waitInQueue(queue.waiting, signal);
    }
    try {
      return await task();
    } finally {
      free += 1;
      queue.running -= 1;
      callNext();
    }
  };
}
