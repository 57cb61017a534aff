import { addAbortSignal, type Readable } from 'node:stream';
import { AppError } from '@stechuhr/kernel';
import type { PhotoSource } from '../report.js';
import { ImageProblem } from './image-problem.js';

/** Limits for reading a photo. */
export interface FetchLimits {
  readonly maxBytes: number;
  readonly timeoutMs: number;
}

/**
 * Reads the bytes of a photo. A source that neither responds nor honours its signal is abandoned.
 *
 * @throws ImageProblem `missing`, `unreachable`, `late` or `heavy`
 */
export async function fetchBytes(source: PhotoSource, limits: FetchLimits, signal: AbortSignal): Promise<Buffer> {
  const late = AbortSignal.timeout(limits.timeoutMs);
  const either = AbortSignal.any([signal, late]);
  try {
    return await collect(await openInTime(source, either), limits.maxBytes, either);
  } catch (caught) {
    if (caught instanceof ImageProblem) throw caught;
    signal.throwIfAborted();
    if (late.aborted) throw new ImageProblem('late', { cause: caught });
    throw new ImageProblem(AppError.from(caught).code === 'not_found' ? 'missing' : 'unreachable', { cause: caught });
  }
}

async function openInTime(source: PhotoSource, signal: AbortSignal): Promise<Readable> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const giveUp = (): void => {
    reject(new Error('Not opened in time.'));
  };
  signal.addEventListener('abort', giveUp, { once: true });
  const opening = (async () => source.open(signal))();
  try {
    return await Promise.race([opening, aborted]);
  } catch (caught) {
    // A stream that is opened too late is closed.
    opening.then((stream) => stream.destroy()).catch(() => undefined);
    throw caught;
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}

async function collect(stream: Readable, maxBytes: number, signal: AbortSignal): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of addAbortSignal(signal, stream) as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBytes) throw new ImageProblem('heavy');
    chunks.push(chunk);
  }
  const [only] = chunks;
  return only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks, length);
}
