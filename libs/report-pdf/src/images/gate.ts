/** Lets a number of tasks run at once; the others wait in their order. */
export interface Gate {
  /** Whoever gives up waiting (the signal) leaves the line; a task that runs is left to end by itself. */
  run<T>(task: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

/** A gate for `slots` tasks. */
export function createGate(slots: number): Gate {
  let free = slots;
  const waiting = new Set<() => void>();
  const leave = (): void => {
    const [next] = waiting;
    if (next === undefined) free++;
    else next();
  };
  const enter = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const go = (): void => {
        waiting.delete(go);
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = (): void => {
        waiting.delete(go);
        reject(asError(signal.reason));
      };
      waiting.add(go);
      signal.addEventListener('abort', giveUp, { once: true });
    });
  return {
    async run(task, signal) {
      signal.throwIfAborted();
      if (free > 0) free--;
      else await enter(signal);
      try {
        return await task();
      } finally {
        leave();
      }
    },
  };
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error('Aborted.', { cause: reason });
}
