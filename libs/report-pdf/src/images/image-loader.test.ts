import { describe, expect, it } from '@jest/globals';
import { canvas, photoOf, sourceOf } from '../test/pictures.js';
import { createImageLoader } from './image-loader.js';

const LIMITS = { parallelFetches: 6, parallelDecodes: 2, maxBytes: 8 * 1024 * 1024, timeoutMs: 60_000, reportTimeoutMs: 60_000 };
const MEGA = 1_000_000;
const signal = new AbortController().signal;

/** The most memory that the process had while something ran, beyond what it had before. */
async function peakOf(run: Promise<unknown>): Promise<number> {
  const before = process.memoryUsage.rss();
  let peak = before;
  const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 2);
  await run.finally(() => clearInterval(timer));
  return peak - before;
}

describe('an image loader', () => {
  it('decodes large pictures one at a time', async () => {
    // 16.8 million pixels of four inks: 134 MB of coefficients in a file of a few hundred kilobytes.
    const inks = await canvas(4100, 4100).toColourspace('cmyk').jpeg({ progressive: true }).toBuffer();
    expect(inks.length).toBeLessThan(MEGA);
    const loader = createImageLoader(LIMITS);
    const photos = [1, 2, 3].map(() => loader.photo(photoOf(sourceOf(inks)), signal));
    expect(await peakOf(Promise.all(photos))).toBeLessThan(230 * MEGA);
    for (const photo of await Promise.all(photos)) expect(photo).toHaveProperty('data');
  });
});
