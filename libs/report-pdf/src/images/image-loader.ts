import { hash } from 'node:crypto';
import { createLimiter } from '@stechuhr/kernel';
import { LRUCache } from 'lru-cache';
import type { PhotoEntry } from '../report.js';
import { isLarge } from './decode.js';
import { fetchBytes, type FetchLimits } from './fetch-bytes.js';
import { ImageProblem, type Problem } from './image-problem.js';
import { preparePhoto, type PreparedImage } from './prepare-photo.js';
import { prepareSignature } from './prepare-signature.js';

/** A picture, or why it cannot be shown. */
export type LoadedImage = PreparedImage | { readonly problem: Problem };

/** Limits of all reports of a process together, and of each photo. */
export interface ImageLimits extends FetchLimits {
  /** Photos that are read or wait for their decoding at once. */
  readonly parallelFetches: number;
  /** Pictures that are decoded at once. */
  readonly parallelDecodes: number;
  /** How long a report waits for all of its photos together; those that are left become placeholders. */
  readonly reportTimeoutMs: number;
}

/** Reads and prepares pictures, bounded over all reports that use it. */
export interface ImageLoader {
  photo(photo: PhotoEntry, signal: AbortSignal): Promise<LoadedImage>;
  signature(dataUrl: string, signal: AbortSignal): Promise<LoadedImage>;
}

/** A day is looked at more than once: before it is approved, and after. Each takes some kilobytes. */
const SIGNATURES_KEPT = 64;

/** A loader with its limits. */
export function createImageLoader(limits: ImageLimits): ImageLoader {
  const fetching = createLimiter(limits.parallelFetches);
  const decoding = createLimiter(limits.parallelDecodes);
  const large = createLimiter(1);
  const decode = async (data: Buffer, prepare: (data: Buffer) => Promise<PreparedImage>, signal: AbortSignal) => {
    const decoded = () => decoding(() => prepare(data), signal);
    return isLarge(data) ? large(decoded, signal) : decoded();
  };
  const signatures = new LRUCache<string, PreparedImage>({ max: SIGNATURES_KEPT });
  return {
    async photo({ sources }, signal) {
      let problem: Problem = 'missing';
      for (const [index, source] of sources.entries()) {
        const image = await orProblem(
          fetching(async () => {
            const data = await fetchBytes(source, limits, signal);
            return decode(data, preparePhoto, signal);
          }, signal),
          signal,
        );
        if ('data' in image) return image;
        // The problem of the photo is more informative than its missing preview.
        if (index === 0) problem = image.problem;
      }
      return { problem };
    },
    async signature(dataUrl, signal) {
      const key = hash('sha256', dataUrl);
      const known = signatures.get(key);
      if (known !== undefined) return known;
      const data = Buffer.from(dataUrl.slice(dataUrl.indexOf(',') + 1), 'base64');
      const image = await orProblem(decode(data, prepareSignature, signal), signal);
      if ('data' in image) signatures.set(key, image);
      return image;
    },
  };
}

async function orProblem(image: Promise<PreparedImage>, signal: AbortSignal): Promise<LoadedImage> {
  try {
    return await image;
  } catch (caught) {
    // A problem of a picture does not affect the rest of the report.
    if (!(signal.reason instanceof ImageProblem)) signal.throwIfAborted();
    if (caught instanceof ImageProblem) return { problem: caught.problem };
    throw caught;
  }
}
