import { hash } from 'node:crypto';
import { createLimiter } from '@stechuhr/kernel';
import { LRUCache } from 'lru-cache';
import type { PhotoSource } from '../report.js';
import { isLarge } from './decode.js';
import { fetchBytes, type FetchLimits } from './fetch-bytes.js';
import { ImageProblem, type Problem } from './image-problem.js';
import { preparePhoto, type PreparedImage } from './prepare-photo.js';
import { prepareSignature } from './prepare-signature.js';

/** A prepared picture, or the reason why it cannot be shown. */
type LoadedImage = PreparedImage | { readonly problem: Problem };

/** Limits for all reports of a process together, and for each photo. */
export interface ImageLimits extends FetchLimits {
  /** Maximum number of photos that are being read or wait to be decoded. */
  readonly parallelFetches: number;
  /** Maximum number of pictures that are decoded concurrently. */
  readonly parallelDecodes: number;
  /** How long a report waits for all of its photos together, in milliseconds; the remaining ones become placeholders. */
  readonly reportTimeoutMs: number;
  /** Maximum number of photos and previews that are read for a file; the remaining ones become placeholders. */
  readonly photosPerFile: number;
}

/** Reads and prepares pictures, with common limits for all reports that use it. */
export interface ImageLoader {
  photo(source: PhotoSource, signal: AbortSignal): Promise<LoadedImage>;
  signature(dataUrl: string, signal: AbortSignal): Promise<LoadedImage>;
}

/** Reports are rendered more than once, for example before and after they are approved. Each signature takes a few kilobytes. */
const SIGNATURES_KEPT = 64;

/** Creates a loader with limits. */
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
    photo: (source, signal) =>
      orProblem(
        fetching(async () => decode(await fetchBytes(source, limits, signal), preparePhoto, signal), signal),
        signal,
      ),
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
    // A problem with a picture does not affect the rest of the report.
    if (!(signal.reason instanceof ImageProblem)) signal.throwIfAborted();
    if (caught instanceof ImageProblem) return { problem: caught.problem };
    throw caught;
  }
}
