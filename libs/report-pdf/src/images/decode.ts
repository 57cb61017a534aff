import sharp, { type Sharp } from 'sharp';
import { readImageHeader, type ImageHeader } from './image-header.js';
import { ImageProblem } from './image-problem.js';

// A report is rendered once, so a cache of libvips would only use memory, and its threads would add to those of our own limiter.
sharp.cache(false);
sharp.concurrency(1);

const MEGA = 1_000_000;
const MAX_MEGAPIXELS = 40;
const MAX_PIXELS = MAX_MEGAPIXELS * MEGA;
const MAX_ALPHA_PNG_PIXELS = 8 * MEGA;
/** Maximum memory for decoding a picture (pixels × components × bytes): 24 million pixels with three components of two bytes each. */
const MAX_DECODED_MEGABYTES = 144;
/** Pictures that need more than this are decoded one at a time; a photo of 12 million pixels needs less. */
const LARGE_MEGABYTES = 48;
const QUALITY = 82;
const DECODE_SECONDS = 10;
/** Bytes per pixel of a {@link RawImage}. */
export const RGBA = 4;

/** Decoded pixels: red, green, blue and alpha. */
export interface RawImage {
  readonly pixels: Buffer;
  readonly width: number;
  readonly height: number;
  /** Offset of the first row, and the distance between rows, in bytes. */
  readonly firstRow: number;
  readonly rowBytes: number;
}

/**
 * Reads the header of a picture and decides whether it may be decoded.
 *
 * @throws ImageProblem `large`, `unsupported` or `broken`
 */
export function judgedHeader(data: Buffer): ImageHeader {
  const header = headerOf(data);
  if (header.type === 'heic') throw new ImageProblem('unsupported');
  if (header.width * header.height > maxPixelsOf(header) || decodedBytesOf(header) > MAX_DECODED_MEGABYTES * MEGA)
    throw new ImageProblem('large');
  return header;
}

/**
 * Converts a picture to an upright JPEG on a white background, with sides of at most `maxSide` pixels.
 *
 * @throws ImageProblem like {@link judgedHeader}, or `late`
 */
export function decodeToJpeg(data: Buffer, maxSide: number): Promise<Buffer> {
  const image = smaller(data, maxSide).flatten({ background: '#ffffff' }).toColourspace('srgb').jpeg({ quality: QUALITY });
  return decoded(image.toBuffer());
}

/**
 * Decodes a picture to pixels, with sides of at most `maxSide` pixels.
 *
 * @throws ImageProblem like {@link judgedHeader}, or `late`
 */
export async function decodeRaw(data: Buffer, maxSide: number): Promise<RawImage> {
  const image = smaller(data, maxSide).toColourspace('srgb').ensureAlpha().raw();
  const { data: pixels, info } = await decoded(image.toBuffer({ resolveWithObject: true }));
  return { pixels, width: info.width, height: info.height, firstRow: 0, rowBytes: info.width * RGBA };
}

function smaller(data: Buffer, maxSide: number): Sharp {
  const header = judgedHeader(data);
  const image = sharp(data, { limitInputPixels: MAX_PIXELS, failOn: 'error', sequentialRead: true }).timeout({ seconds: DECODE_SECONDS });
  // A PNG is not rotated, because that would hold all of it in memory, and no camera writes PNG files.
  const upright = header.type === 'png' ? image : image.autoOrient();
  if (Math.max(header.width, header.height) <= maxSide) return upright;
  return upright.resize({ width: maxSide, height: maxSide, fit: 'inside' });
}

/** Awaits the decoding of a picture. @throws ImageProblem `late` after a timeout of sharp, otherwise `broken` */
export async function decoded<T>(decoding: Promise<T>): Promise<T> {
  try {
    return await decoding;
  } catch (caught) {
    const isTimeout = caught instanceof Error && caught.message.startsWith('timeout');
    throw new ImageProblem(isTimeout ? 'late' : 'broken', { cause: caught });
  }
}

function headerOf(data: Buffer): ImageHeader {
  let header: ImageHeader | undefined;
  try {
    header = readImageHeader(data);
  } catch (caught) {
    throw new ImageProblem('broken', { cause: caught });
  }
  if (header === undefined) throw new ImageProblem(data.readUInt16BE(0) === JPEG_START ? 'broken' : 'unsupported');
  if (header.width === 0 || header.height === 0) throw new ImageProblem('broken');
  return header;
}

const JPEG_START = 0xffd8;

function maxPixelsOf(header: ImageHeader): number {
  return header.type === 'png' && (header.hasAlpha || header.isInterlaced) ? MAX_ALPHA_PNG_PIXELS : MAX_PIXELS;
}

const SAMPLE_BYTES = 2;

/** Whether no other large picture may be decoded at the same time. @throws ImageProblem like {@link judgedHeader} */
export function isLarge(data: Buffer): boolean {
  return decodedBytesOf(judgedHeader(data)) > LARGE_MEGABYTES * MEGA;
}

/** Returns the memory needed to decode a picture, in bytes; pictures that are decoded row by row need almost none. */
function decodedBytesOf(header: ImageHeader): number {
  const pixels = header.width * header.height;
  switch (header.type) {
    case 'jpeg':
      if (header.isWhole) return pixels * header.components * SAMPLE_BYTES;
      // Rotation needs the whole picture.
      return header.orientation === 1 ? 0 : pixels * header.components * (header.bits > 8 ? SAMPLE_BYTES : 1);
    case 'png':
      return header.hasAlpha || header.isInterlaced ? pixels * RGBA * SAMPLE_BYTES : 0;
    case 'avif':
      return pixels * 3 * SAMPLE_BYTES;
    default:
      return pixels * RGBA;
  }
}
