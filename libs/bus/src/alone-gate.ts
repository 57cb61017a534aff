import { setTimeout as delay } from 'node:timers/promises';

/** How long the others wait at most for a task that runs alone, and it for them: none of them may hold up all others. */
const LONGEST_MS = 10_000;

/** Lets a task run while this process runs no other. */
export class AloneGate {
  private running = 0;
  private closed: Promise<void> | undefined;
  private notifyEmpty: (() => void) | undefined;

  /** @param longestMs limit of each wait, in milliseconds */
  constructor(private readonly longestMs = LONGEST_MS) {}

  /** Runs a task beside others, but not beside one that runs alone. */
  async together<T>(task: () => Promise<T>): Promise<T> {
    while (this.closed !== undefined) await this.closed;
    this.running += 1;
    try {
      return await task();
    } finally {
      this.running -= 1;
      if (this.running === 0) this.notifyEmpty?.();
    }
  }

  /** Runs a task alone, in the order of the calls. */
  async alone<T>(task: () => Promise<T>): Promise<T> {
    while (this.closed !== undefined) await this.closed;
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    const ended = new AbortController();
    this.closed = closed;
    const open = (): void => {
      if (this.closed === closed) this.closed = undefined;
      resolve();
    };
    const pause = (): Promise<void> => delay(this.longestMs, undefined, { signal: ended.signal }).catch(() => undefined);
    try {
      if (this.running > 0) await Promise.race([new Promise<void>((empty) => (this.notifyEmpty = empty)), pause()]);
      void pause().then(open);
      return await task();
    } finally {
      ended.abort();
      open();
    }
  }
}
