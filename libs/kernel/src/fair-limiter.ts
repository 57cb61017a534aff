import { AppError } from './app-error.js';
import { waitInQueue } from './wait-in-queue.js';

/** How much runs and waits; see {@link createFairLimiter}. */
export interface FairLimits {
  /** How many tasks run concurrently. */
  readonly atATime: number;
  /** How many tasks of one key run concurrently. If it is less than `atATime`, one key can never occupy all slots. */
  readonly perKey: number;
  /** How many tasks of one key may wait; unlimited by default. */
  readonly waitingPerKey?: number;
}

/** Runs a task of a key when it is its turn, and returns its result. If the signal aborts while the task is waiting, it leaves the queue. */
export type FairLimiter = <T>(key: string, task: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

interface Line {
  running: number;
  readonly waiting: Set<() => void>;
  /** The earliest round in which its next task starts. */
  nextRound: number;
}

/**
 * Runs at most `atATime` tasks concurrently, at most `perKey` of each key. Waiting tasks take turns by key, and keep their order within a key:
 * however many tasks of one key wait, the next task of another key gets the next slot. Rounds are those of start-time fair queueing, so that a key
 * with occasional tasks has no advantage over one that always waits.
 * @returns a function that rejects with AppError `rate_limited` if too many tasks of the key wait, and with the signal's reason if that aborts before
 * the task starts; running tasks are not interrupted
 */
export function createFairLimiter({ atATime, perKey, waitingPerKey = Number.POSITIVE_INFINITY }: FairLimits): FairLimiter {
  let free = atATime;
  let round = 0;
  const lines = new Map<string, Line>();
  const begin = (key: string, line: Line): void => {
    free -= 1;
    line.running += 1;
    round = Math.max(round, line.nextRound);
    line.nextRound = round + 1;
    // Re-inserted behind the others of its round.
    lines.delete(key);
    lines.set(key, line);
  };
  const callNext = (): void => {
    let chosen: [string, Line] | undefined;
    for (const [key, line] of lines) {
      if (line.running === 0 && line.waiting.size === 0 && line.nextRound <= round) lines.delete(key);
      if (line.waiting.size === 0 || line.running >= perKey) continue;
      if (chosen === undefined || line.nextRound < chosen[1].nextRound) chosen = [key, line];
    }
    if (chosen === undefined) return;
    const [next] = chosen[1].waiting;
    begin(...chosen);
    next?.();
  };
  return async (key, task, signal) => {
    signal?.throwIfAborted();
    const line = lines.get(key) ?? { running: 0, waiting: new Set(), nextRound: round };
    line.nextRound = Math.max(line.nextRound, round);
    // No task is skipped unfairly: while a slot is free, all waiting keys have reached their limit.
    if (free > 0 && line.running < perKey) begin(key, line);
    else {
      if (line.waiting.size >= waitingPerKey)
        throw new AppError('rate_limited', `At most ${String(waitingPerKey)} may wait; try again later.`);
      lines.set(key, line);
      await waitInQueue(line.waiting, signal);
    }
    try {
      return await task();
    } finally {
      free += 1;
      line.running -= 1;
      callNext();
    }
  };
}
