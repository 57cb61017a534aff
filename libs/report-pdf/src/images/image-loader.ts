import type { PhotoEntry } from '../report.js';
import { fetchBytes, type FetchLimits } from './fetch-bytes.js';
import { createGate } from './gate.js';
import { ImageProblem, type Problem } from './image-problem.js';
import { prepareImage, type ImageTarget, type PreparedImage } from './prepare-image.js';

/** A picture, or why there is none. */
export type LoadedImage = PreparedImage | { readonly problem: Problem };

/** Limits of all reports of a process together, and of each photo. */
export interface ImageLimits extends FetchLimits {
  /** Photos that are read or wait for their decoding at once. */
  readonly parallelFetches: number;
  /** Pictures that are decoded at once. */
  readonly parallelDecodes: number;
}

/** Reads and prepares pictures, bounded over all reports that use it. */
export interface ImageLoader {
  photo(photo: PhotoEntry, signal: AbortSignal): Promise<LoadedImage>;
  signature(dataUrl: string, signal: AbortSignal): Promise<LoadedImage>;
}

/** A frame of 8 cm has 300 dpi at 1000 pixels; a bit more bears being looked at closely. */
const PHOTO: ImageTarget = { maxSide: 1600, maxBytes: 700_000 };
const SIGNATURE: ImageTarget = { maxSide: 800, maxBytes: 200_000 };

/** A loader with its limits. */
export function createImageLoader(limits: ImageLimits): ImageLoader {
  const fetches = createGate(limits.parallelFetches);
  const decodes = createGate(limits.parallelDecodes);
  const prepare = (data: Buffer, target: ImageTarget, signal: AbortSignal): Promise<PreparedImage> =>
    decodes.run(() => prepareImage(data, target), signal);
  return {
    async photo({ sources }, signal) {
      let problem: Problem = 'missing';
      for (const [index, source] of sources.entries()) {
        const image = await orProblem(
          fetches.run(async () => prepare(await fetchBytes(source, limits, signal), PHOTO, signal), signal),
          signal,
        );
        if ('data' in image) return image;
        // What is wrong with the photo itself says more than that its preview is missing, too.
        if (index === 0) problem = image.problem;
      }
      return { problem };
    },
    signature(dataUrl, signal) {
      const data = Buffer.from(dataUrl.slice(dataUrl.indexOf(',') + 1), 'base64');
      return orProblem(prepare(data, SIGNATURE, signal), signal);
    },
  };
}

async function orProblem(image: Promise<PreparedImage>, signal: AbortSignal): Promise<LoadedImage> {
  try {
    return await image;
  } catch (caught) {
    signal.throwIfAborted();
    if (caught instanceof ImageProblem) return { problem: caught.problem };
    throw caught;
  }
}
