import { AppError } from '@stechuhr/kernel';

/** Chunks that an upload reads, with the time since it last did. */
export interface WatchedChunks {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** For how long the store has been busy with the last chunk. */
  busyMs(): number;
}

/** Records when the upload takes a chunk and when it requests the next one. */
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
  /** After an abort, time for an upload to notice that its source has ended. */
  readonly graceMs?: number;
  /** A store without a sign of life for this long counts as unavailable. */
  readonly stallMs?: number;
}

const CHECK_MS = 1_000;

/** Waits for an upload, but no longer than a silent store or an abort allows. */
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
    // Even if the upload never settles, the timer must be stopped.
    clearInterval(check);
    clearTimeout(aborting);
    signal.removeEventListener('abort', abort);
  }
}
