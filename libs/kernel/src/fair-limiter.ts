import { AppError } from './app-error.js';
import { waitInQueue } from './wait-in-queue.js';

/** How much runs and waits; see {@link createFairLimiter}. */
export interface FairLimits {
  /** Tasks that run at a time. */
  readonly atATime: number;
  /** Tasks of one key that run at a time: below `atATime` there is always a place that one key alone cannot take. */
  readonly perKey: number;
  /** Tasks of one key that may wait; any number by default. */
  readonly waitingPerKey?: number;
}

/** Runs a task of a key as soon as it is its turn, and passes its outcome on. Whoever aborts while waiting leaves the line. */
export type FairLimiter = <T>(key: string, task: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

interface Line {
  running: number;
  readonly waiting: Set<() => void>;
  /** The round in which its next task begins, at the earliest. */
  nextRound: number;
}

/**
 * Lets at most `atATime` tasks run at a time, at most `perKey` of one key. Those that wait are taken in turns by key, and in their order
 * within a key: however many wait of one, the next of another gets the next place. Rounds are those of start-time fair queueing: a key that
 * comes and goes is not preferred to one that waits all the time.
 *
 * @returns a function that rejects with AppError `rate_limited` when too many of the key wait, and with the signal's reason when that aborts
 * before the task begins; a task that runs ends by itself
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
    // Behind the others of its round.
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
    // Nobody is passed over: while a place is free, those that wait have reached the limit of their key.
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
