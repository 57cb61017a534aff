import { AppError } from '@stechuhr/kernel';

/** The chunks that an upload reads, with the time since it read the last one. */
export interface WatchedChunks {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Returns how long the store has been busy with the last chunk, in milliseconds. */
  busyMs(): number;
}

/** Records when the upload reads a chunk and when it requests the next one. */
export function watchChunks(source: AsyncIterable<Uint8Array>): WatchedChunks {
  let takenAt: number | undefined = performance.now();
  const chunks = async function* () {
    takenAt = undefined;
    try {
      for await (const chunk of source) {
        takenAt = performance.now();
        yield chunk;
        takenAt = undefined;
      }
    } finally {
      takenAt = performance.now();
    }
  };
  return { chunks: chunks(), busyMs: () => (takenAt === undefined ? 0 : performance.now() - takenAt) };
}

interface Waiting {
  readonly signal: AbortSignal;
  readonly busyMs: () => number;
  /** How long an upload may take to notice that its source has ended, after an abort. */
  readonly graceMs?: number;
  /** A store without a sign of life for this long counts as unavailable. */
  readonly stallMs?: number;
}

const CHECK_MS = 1_000;

/** Waits for an upload. It stops waiting if the store does not respond, or soon after the signal aborts. */
export async function untilUploaded<T>(upload: Promise<T>, { signal, busyMs, graceMs = 5_000, stallMs = 120_000 }: Waiting): Promise<T> {
  const givenUp = Promise.withResolvers<never>();
  let aborting: NodeJS.Timeout | undefined;
  const abort = () => (aborting = setTimeout(() => givenUp.reject(signal.reason), graceMs));
  const check = setInterval(() => {
    if (busyMs() > stallMs) givenUp.reject(new AppError('unavailable', 'The object store does not answer.'));
  }, CHECK_MS);
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([upload, givenUp.promise]);
  } finally {
    // Also needed if the upload never ends.
    clearInterval(check);
    clearTimeout(aborting);
    signal.removeEventListener('abort', abort);
  }
}
