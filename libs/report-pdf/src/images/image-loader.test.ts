import { describe, expect, it } from '@jest/globals';
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

/** Returns the peak memory of the process during a task. */
async function peakOf(run: Promise<unknown>): Promise<number> {
  let peak = process.memoryUsage.rss();
  const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 2);
  await run.finally(() => clearInterval(timer));
  return peak;
}

describe('an image loader', () => {
  it('decodes large pictures one at a time', async () => {
    // 16.8 million CMYK pixels: 134 MB of coefficients in a file of a few hundred kilobytes.
    const inks = await canvas(4100, 4100).toColourspace('cmyk').jpeg({ progressive: true }).toBuffer();
    expect(inks.length).toBeLessThan(MEGA);
    const loader = createImageLoader(LIMITS);
    const load = () => loader.photo(sourceOf(inks), signal);
    const before = process.memoryUsage.rss();
    const ofOne = (await peakOf(load())) - before;
    const two = Promise.all([load(), load()]);
    expect((await peakOf(two)) - before).toBeLessThan(1.7 * ofOne);
    for (const photo of await two) expect(photo).toHaveProperty('data');
  });
});
