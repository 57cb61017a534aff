import sharp, { type Sharp } from 'sharp';
import { readImageHeader, type ImageHeader } from './image-header.js';
import { ImageProblem } from './image-problem.js';

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
/** Bytes of a pixel of a {@link RawImage}. */
export const RGBA = 4;

/** Pixels of red, green, blue and opacity. */
export interface RawImage {
  readonly pixels: Buffer;
  readonly width: number;
  readonly height: number;
  /** Where the first row begins, and how far it is from there to the next. */
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
  if (header.width * header.height > maxPixelsOf(header)) throw new ImageProblem('large');
  return header;
}

/** A picture as an upright JPEG on white, no side longer than `maxSide`. Throws as {@link judgedHeader}. */
export function decodeToJpeg(data: Buffer, maxSide: number): Promise<Buffer> {
  const image = smaller(data, maxSide).flatten({ background: '#ffffff' }).toColourspace('srgb').jpeg({ quality: QUALITY });
  return orBroken(image.toBuffer());
}

/** The pixels of a picture, no side longer than `maxSide`. Throws as {@link judgedHeader}. */
export async function decodeRaw(data: Buffer, maxSide: number): Promise<RawImage> {
  const image = smaller(data, maxSide).toColourspace('srgb').ensureAlpha().raw();
  const { data: pixels, info } = await orBroken(image.toBuffer({ resolveWithObject: true }));
  return { pixels, width: info.width, height: info.height, firstRow: 0, rowBytes: info.width * RGBA };
}

function smaller(data: Buffer, maxSide: number): Sharp {
  const header = judgedHeader(data);
  const image = sharp(data, { limitInputPixels: MAX_PIXELS, failOn: 'error', sequentialRead: true }).timeout({ seconds: DECODE_SECONDS });
  // Turning a PNG would hold all of it in memory; no camera writes any.
  const upright = header.type === 'png' ? image : image.autoOrient();
  if (Math.max(header.width, header.height) <= maxSide) return upright;
  return upright.resize({ width: maxSide, height: maxSide, fit: 'inside' });
}

async function orBroken<T>(decoding: Promise<T>): Promise<T> {
  try {
    return await decoding;
  } catch (caught) {
    throw new ImageProblem('broken', { cause: caught });
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
  if (header.type === 'png') return header.hasAlpha || header.isInterlaced ? MAX_ALPHA_PNG_PIXELS : MAX_PIXELS;
  return header.type === 'jpeg' && !header.isProgressive ? MAX_PIXELS : MAX_WHOLE_PIXELS;
}
