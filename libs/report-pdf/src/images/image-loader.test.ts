import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { canvas, sourceOf } from '../test/pictures.js';
import { createImageLoader } from './image-loader.js';

const LIMITS = {
  parallelFetches: 6,
  parallelDecodes: 2,
  maxBytes: 8 * 1024 * 1024,
  timeoutMs: 60_000,
  reportTimeoutMs: 60_000,
  photosPerFile: 1,
};
const MEGA = 1_000_000;
const signal = new AbortController().signal;

/** Returns the number of pictures that this process decodes, or has handed over for decoding, also for tests that ran before in it. */
function decodedNow(): number {
  const { queue, process } = sharp.counters();
  return queue + process;
}

/** Returns the largest number of pictures that were decoded at the same time during a task. */
async function mostAtOnce(run: () => Promise<unknown>): Promise<number> {
  while (decodedNow() > 0) await delay(2);
  let most = 0;
  // A picture whose decoding begins while the two counters are read is counted twice, but not in the next reading as well.
  const timer = setInterval(() => (most = Math.max(most, Math.min(decodedNow(), decodedNow()))), 2);
  await run().finally(() => clearInterval(timer));
  return most;
}

describe('an image loader', () => {
  it('decodes large pictures one at a time', async () => {
    // 16.8 million CMYK pixels: 134 MB of coefficients in a file of a few hundred kilobytes.
    const inks = await canvas(4100, 4100).toColourspace('cmyk').jpeg({ progressive: true }).toBuffer();
    expect(inks.length).toBeLessThan(MEGA);
    const loader = createImageLoader(LIMITS);
    // On a busy machine decoding exceeds its time limit, which makes no difference here.
    const load = () => loader.photo(sourceOf(inks), signal);
    expect(await mostAtOnce(() => Promise.all([load(), load()]))).toBe(1);
  });
});
