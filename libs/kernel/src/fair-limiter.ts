import { AppError } from './app-error.js';
import { Fifo } from './fifo.js';
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
  /** With some that do not wait any more. */
  readonly #order = new Fifo<() => void>();

  get size(): number {
    return this.#since.size;
  }

  get first(): (() => void) | undefined {
    while (this.#order.first !== undefined && !this.#since.has(this.#order.first)) this.#order.shift();
    return this.#order.first;
  }

  /** How long the first one has waited, in milliseconds. */
  get longestMs(): number {
    const since = this.first === undefined ? undefined : this.#since.get(this.first);
    return since === undefined ? 0 : performance.now() - since;
  }

  add(enter: () => void): void {
    this.#since.set(enter, performance.now());
    this.#order.add(enter);
  }

  delete(enter: () => void): void {
    this.#since.delete(enter);
  }
}

interface Queue {
  readonly key: string;
  running: number;
  readonly waiting: Waiting;
  /** The earliest round in which its next task may begin. */
  nextRound: number;
  /** When its last task began. */
  begunAt: number;
  /** The round in which it is among those whose turn it is; undefined while no task of it may begin. */
  readyIn: number | undefined;
}

/** The queues of all keys. The next one is found in constant time, since there may be tens of thousands of institutions. */
class Queues {
  private readonly byKey = new Map<string, Queue>();
  /** Those with a task that may begin, by round. */
  private readonly ready = new Map<number, Fifo<Queue>>();
  /** Those without tasks, which are remembered so that they begin no second task in the same round. */
  private readonly idle = new Set<Queue>();
  private round = 0;

  constructor(private readonly perKey: number) {}

  /** Returns the queue of a key that has a new task. */
  of(key: string): Queue {
    const nextRound = this.round;
    const queue = this.byKey.get(key) ?? {
      key,
      running: 0,
      waiting: new Waiting(),
      nextRound,
      begunAt: performance.now(),
      readyIn: undefined,
    };
    queue.nextRound = Math.max(queue.nextRound, this.round);
    return queue;
  }

  /** Notes that a task begins. */
  begin(queue: Queue): void {
    queue.running += 1;
    queue.begunAt = performance.now();
    this.beginRound(queue.nextRound);
    queue.nextRound = this.round + 1;
    this.place(queue);
  }

  /** Notes that a task has ended. */
  end(queue: Queue): void {
    queue.running -= 1;
    this.place(queue);
  }

  /** Returns the queue whose turn it is. */
  next(): Queue | undefined {
    while (this.ready.size > 0) {
      const round = Math.min(...this.ready.keys());
      const queue = this.ready.get(round)?.shift();
      if (queue === undefined) this.ready.delete(round);
      // It may have left its round, or its waiting tasks were aborted.
      else if (queue.readyIn === round) {
        queue.readyIn = undefined;
        if (queue.waiting.size > 0) return queue;
        this.place(queue);
      }
    }
    return undefined;
  }

  /** Puts a queue where its tasks belong, behind others of its round. */
  place(queue: Queue): void {
    const mayBegin = queue.waiting.size > 0 && queue.running < this.perKey;
    const round = mayBegin ? queue.nextRound : undefined;
    if (round !== undefined && queue.readyIn !== round) this.waitIn(round, queue);
    queue.readyIn = round;
    const isIdle = queue.waiting.size === 0 && queue.running === 0;
    const isKept = !isIdle || queue.nextRound > this.round;
    if (isKept) this.byKey.set(queue.key, queue);
    else this.byKey.delete(queue.key);
    if (isIdle && isKept) this.idle.add(queue);
    else this.idle.delete(queue);
  }

  private beginRound(round: number): void {
    if (round <= this.round) return;
    this.round = round;
    // Their next round is this one at the latest.
    for (const { key } of this.idle) this.byKey.delete(key);
    this.idle.clear();
  }

  private waitIn(round: number, queue: Queue): void {
    const others = this.ready.get(round) ?? new Fifo<Queue>();
    others.add(queue);
    this.ready.set(round, others);
  }
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
  const queues = new Queues(perKey);
  const begin = (queue: Queue): void => {
    free -= 1;
    queues.begin(queue);
  };
  const callNext = (): void => {
    const queue = queues.next();
    const next = queue?.waiting.first;
    if (queue === undefined || next === undefined) return;
    queue.waiting.delete(next);
    begin(queue);
    next();
  };
  const tooLong = ({ running, begunAt }: Queue, patienceMs: number): AppError => {
    const isOwn = running >= perKey && performance.now() - begunAt <= patienceMs;
    return new AppError(isOwn ? 'rate_limited' : 'unavailable', TOO_LONG);
  };
  return async (key, task, { signal, patienceMs = Number.POSITIVE_INFINITY } = {}) => {
    signal?.throwIfAborted();
    const queue = queues.of(key);
    // No waiting task is skipped: while a slot is free, all waiting tasks have reached the limit of their key.
    if (free > 0 && queue.running < perKey) begin(queue);
    else {
      if (queue.waiting.size >= waitingPerKey)
        throw new AppError('rate_limited', `At most ${String(waitingPerKey)} may wait; try again later.`);
      if (queue.waiting.longestMs > patienceMs) throw tooLong(queue, patienceMs);
      const turn = waitInQueue(queue.waiting, signal);
      queues.place(queue);
      await turn;
    }
    try {
      return await task();
    } finally {
      free += 1;
      queues.end(queue);
      callNext();
    }
  };
}
