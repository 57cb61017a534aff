import sharp from 'sharp';
import { readImageHeader, type ImageHeader } from './image-header.js';
import { ImageProblem } from './image-problem.js';

/** A picture that can be embedded as it is: an upright JPEG. */
export interface PreparedImage {
  readonly data: Buffer;
}

/** From when on a picture is made smaller, and to what. */
export interface ImageTarget {
  /** The longer side, in pixels. */
  readonly maxSide: number;
  readonly maxBytes: number;
}

// A report is rendered once; what libvips would keep for later only adds up, and its own threads would come on top of the gate's.
sharp.cache(false);
sharp.concurrency(1);

const MEGA = 1_000_000;
/** Pictures that are decoded whole: four bytes a pixel, or the coefficients of a progressive JPEG. */
const MAX_WHOLE_PIXELS = 24 * MEGA;
const MAX_PIXELS = 40 * MEGA;
const MAX_ALPHA_PNG_PIXELS = 8 * MEGA;
const QUALITY = 82;
const DECODE_SECONDS = 10;

/**
 * Makes a picture fit for embedding. Its header is read first: what has too many pixels is never decoded, and a JPEG that is fine as it is
 * passes through.
 *
 * @throws ImageProblem `large`, `unsupported` or `broken`
 */
export async function prepareImage(data: Buffer, target: ImageTarget): Promise<PreparedImage> {
  const header = headerOf(data);
  if (header.type === 'heic') throw new ImageProblem('unsupported');
  if (header.width * header.height > maxPixelsOf(header)) throw new ImageProblem('large');
  return { data: passesThrough(data, header, target) ? data : await shrink(data, header, target) };
}

function headerOf(data: Buffer): ImageHeader {
  let header: ImageHeader | undefined;
  try {
    header = readImageHeader(data);
  } catch (caught) {
    throw new ImageProblem('broken', { cause: caught });
  }
  if (header === undefined) throw new ImageProblem(data.length > 0 && isJpeg(data) ? 'broken' : 'unsupported');
  if (header.width === 0 || header.height === 0) throw new ImageProblem('broken');
  return header;
}

function isJpeg(data: Buffer): boolean {
  return data.subarray(0, 2).equals(Buffer.from([0xff, 0xd8]));
}

function maxPixelsOf(header: ImageHeader): number {
  if (header.type === 'png') return header.hasAlpha || header.isInterlaced ? MAX_ALPHA_PNG_PIXELS : MAX_PIXELS;
  return header.type === 'jpeg' && !header.isProgressive ? MAX_PIXELS : MAX_WHOLE_PIXELS;
}

function passesThrough(data: Buffer, header: ImageHeader, { maxSide, maxBytes }: ImageTarget): boolean {
  if (header.type !== 'jpeg' || !header.isCommon || header.bits !== 8 || header.orientation !== 1) return false;
  const isColor = header.components === 1 || header.components === 3;
  return isColor && data.length <= maxBytes && Math.max(header.width, header.height) <= maxSide && isComplete(data);
}

/** Whether there is an end of image; phones append more behind it. */
function isComplete(data: Buffer): boolean {
  return data.lastIndexOf(Buffer.from([0xff, 0xd9])) > 0;
}

async function shrink(data: Buffer, header: ImageHeader, { maxSide }: ImageTarget): Promise<Buffer> {
  const image = sharp(data, { limitInputPixels: MAX_PIXELS, failOn: 'error', sequentialRead: true })
    .timeout({ seconds: DECODE_SECONDS })
    .resize({ width: maxSide, height: maxSide, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb');
  // Turning a PNG would hold all of it in memory; no camera writes any.
  const upright = header.type === 'png' ? image : image.autoOrient();
  try {
    return await upright.jpeg({ quality: QUALITY }).toBuffer();
  } catch (caught) {
    throw new ImageProblem('broken', { cause: caught });
  }
}
