import sharp, { type Sharp } from 'sharp';
import { readImageHeader, type ImageHeader } from './image-header.js';
import { ImageProblem } from './image-problem.js';

// A report is rendered once; what libvips would keep for later only adds up, and its own threads would come on top of the gate's.
sharp.cache(false);
sharp.concurrency(1);

const MEGA = 1_000_000;
const MAX_MEGAPIXELS = 40;
const MAX_PIXELS = MAX_MEGAPIXELS * MEGA;
const MAX_ALPHA_PNG_PIXELS = 8 * MEGA;
/** Pixels × components × bytes that are held to decode a picture: 24 million pixels of three colours whose coefficients take two bytes each. */
const MAX_DECODED_MEGABYTES = 144;
/** Pictures that hold more than this are decoded one at a time: more than a photo of 12 million pixels. */
const LARGE_MEGABYTES = 48;
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
  if (header.width * header.height > maxPixelsOf(header) || decodedBytesOf(header) > MAX_DECODED_MEGABYTES * MEGA)
    throw new ImageProblem('large');
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
  return header.type === 'png' && (header.hasAlpha || header.isInterlaced) ? MAX_ALPHA_PNG_PIXELS : MAX_PIXELS;
}

const SAMPLE_BYTES = 2;

/** Whether no other large picture may be decoded beside it. Throws as {@link judgedHeader}. */
export function isLarge(data: Buffer): boolean {
  return decodedBytesOf(judgedHeader(data)) > LARGE_MEGABYTES * MEGA;
}

/** Bytes that are held while a picture is decoded; one that is read row by row holds next to nothing. */
function decodedBytesOf(header: ImageHeader): number {
  const pixels = header.width * header.height;
  switch (header.type) {
    case 'jpeg':
      if (header.isWhole) return pixels * header.components * SAMPLE_BYTES;
      // It is turned as a whole.
      return header.orientation === 1 ? 0 : pixels * header.components * (header.bits > 8 ? SAMPLE_BYTES : 1);
    case 'png':
      return header.hasAlpha || header.isInterlaced ? pixels * RGBA * SAMPLE_BYTES : 0;
    case 'avif':
      return pixels * 3 * SAMPLE_BYTES;
    default:
      return pixels * RGBA;
  }
}
