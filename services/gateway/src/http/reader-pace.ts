import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { AppError } from '@stechuhr/kernel';

/**
 * The minimum rate at which a client has to read, averaged over a minute of waiting for it. A slower client is disconnected, because its
 * response occupies streams and buffers in every process.
 */
export const MIN_BYTES_PER_SECOND = 16 * 1024;
const MINUTE_MS = 60_000;

/** The minimum reading rate. */
export interface Pace {
  readonly bytesPerSecond: number;
  /** The time over which the rate is measured. */
  readonly windowMs: number;
}

const ordinary: Pace = { bytesPerSecond: MIN_BYTES_PER_SECOND, windowMs: MINUTE_MS };
const CHECKS = 10;

/** Waits for a client and measures how fast it reads. Only the time spent waiting for the client counts, not that of a slow source. */
export class ReaderPace {
  readonly #pace: Pace;
  readonly #tooSlow = new AbortController();
  readonly #ended: AbortSignal;
  #timer: NodeJS.Timeout | undefined;
  #waitingSince: number | undefined;
  #waitedMs = 0;
  #taken = 0;

  /** @param signal aborts when the client disconnects */
  constructor(signal: AbortSignal, pace: Pace = ordinary) {
    this.#pace = pace;
    this.#ended = AbortSignal.any([signal, this.#tooSlow.signal]);
  }

  /**
   * Waits until the client has received the written bytes.
   *
   * @throws AppError `rate_limited` if the client is slower than the minimum rate
   */
  async drained(response: ServerResponse, bytes: number): Promise<void> {
    this.#timer ??= setInterval(() => this.#check(), this.#pace.windowMs / CHECKS);
    this.#waitingSince = performance.now();
    try {
      await once(response, 'drain', { signal: this.#ended });
    } catch (caught) {
      throw this.#tooSlow.signal.aborted ? tooSlow(this.#pace) : caught;
    }
    this.#taken += bytes;
    this.#waitedMs = this.#waited();
    this.#waitingSince = undefined;
  }

  /** Ends the measurement. */
  stop(): void {
    clearInterval(this.#timer);
  }

  #waited(): number {
    return this.#waitedMs + (this.#waitingSince === undefined ? 0 : performance.now() - this.#waitingSince);
  }

  #check(): void {
    const { bytesPerSecond, windowMs } = this.#pace;
    if (this.#waited() < windowMs) return;
    if (this.#taken < (bytesPerSecond * windowMs) / 1000) return this.#tooSlow.abort();
    this.#taken = 0;
    this.#waitedMs = 0;
    if (this.#waitingSince !== undefined) this.#waitingSince = performance.now();
  }
}

function tooSlow({ bytesPerSecond }: Pace): AppError {
  return new AppError('rate_limited', `The client reads less than ${String(bytesPerSecond / 1024)} KiB a second.`);
}
