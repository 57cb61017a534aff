import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { AppError } from '@stechuhr/kernel';
import type { PhotoSource } from '../report.js';
import { fetchBytes } from './fetch-bytes.js';
import { ImageProblem } from './image-problem.js';

const LIMITS = { maxBytes: 10, timeoutMs: 5_000 };
const HASTY = { maxBytes: 10, timeoutMs: 30 };
const never = new AbortController().signal;

const opening = (open: PhotoSource['open']): PhotoSource => ({ open });
const streaming = (...chunks: string[]): PhotoSource =>
  opening(() => Promise.resolve(Readable.from(chunks.map((chunk) => Buffer.from(chunk)))));

async function problemOf(source: PhotoSource, limits = LIMITS): Promise<string> {
  return fetchBytes(source, limits, never).then(
    () => 'none',
    (caught: unknown) => (caught instanceof ImageProblem ? caught.problem : String(caught)),
  );
}

describe('fetchBytes', () => {
  it('reads all bytes', async () => {
    expect((await fetchBytes(streaming('hello', 'world'), LIMITS, never)).toString()).toBe('helloworld');
  });

  it('stops reading a photo that is too large', async () => {
    let read = 0;
    const endless = Readable.from(
      (function* () {
        for (;;) {
          read++;
          yield Buffer.from('xxxx');
        }
      })(),
      { highWaterMark: 1 },
    );
    expect(await problemOf(opening(() => Promise.resolve(endless)))).toBe('heavy');
    expect(endless.destroyed).toBe(true);
    expect(read).toBeLessThan(10);
  });

  it('distinguishes missing from unreachable photos', async () => {
    expect(await problemOf(opening(() => Promise.reject(new AppError('not_found', 'None.'))))).toBe('missing');
    expect(await problemOf(opening(() => Promise.reject(new AppError('unavailable', 'Unavailable.'))))).toBe('unreachable');
    expect(
      await problemOf(
        opening(() => {
          throw new Error('Odd.');
        }),
      ),
    ).toBe('unreachable');
    const breaking = new Readable({
      read() {
        this.destroy(new Error('reset'));
      },
    });
    expect(await problemOf(opening(() => Promise.resolve(breaking)))).toBe('unreachable');
  });

  it('does not wait for a source that never opens, and closes a stream that opens too late', async () => {
    const late = Promise.withResolvers<Readable>();
    expect(
      await problemOf(
        opening(() => late.promise),
        HASTY,
      ),
    ).toBe('late');
    const stream = Readable.from([Buffer.from('x')]);
    const closed = new Promise((resolve) => stream.once('close', resolve));
    late.resolve(stream);
    await closed;
    expect(stream.destroyed).toBe(true);
  });

  it('does not wait for a stream that stalls', async () => {
    const silent = new Readable({ read() {} });
    expect(
      await problemOf(
        opening(() => Promise.resolve(silent)),
        HASTY,
      ),
    ).toBe('late');
    expect(silent.destroyed).toBe(true);
  });

  it('ends with the signal', async () => {
    const controller = new AbortController();
    const silent = new Readable({ read() {} });
    const reading = fetchBytes(
      opening(() => Promise.resolve(silent)),
      LIMITS,
      controller.signal,
    );
    controller.abort(new Error('left'));
    await expect(reading).rejects.toThrow('left');
  });
});
