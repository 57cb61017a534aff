import { decodeToJpeg, judgedHeader } from './decode.js';
import type { ImageHeader } from './image-header.js';
import type { JpegHeader } from './jpeg-header.js';

/** A picture that pdfkit embeds unchanged: an upright JPEG or an opaque PNG. */
export interface PreparedImage {
  readonly data: Buffer;
  /** Maximum size in points; a larger frame is not filled. */
  readonly largest?: { readonly width: number; readonly height: number };
}

/** The limits above which a picture is reduced. */
export interface PhotoTarget {
  /** The longer side, in pixels. */
  readonly maxSide: number;
  readonly maxBytes: number;
}

/** A frame of 8 cm at 300 dpi has about 1000 pixels; a bit more allows zooming in. */
const TARGET: PhotoTarget = { maxSide: 1600, maxBytes: 700_000 };

/**
 * Prepares a photo for embedding. Its header is read first: a photo with too many pixels is never decoded, and a suitable JPEG is used
 * unchanged.
 *
 * @throws ImageProblem `large`, `unsupported` or `broken`
 */
export async function preparePhoto(data: Buffer, target: PhotoTarget = TARGET): Promise<PreparedImage> {
  return { data: passesThrough(data, judgedHeader(data), target) ? data : await decodeToJpeg(data, target.maxSide) };
}

function passesThrough(data: Buffer, header: ImageHeader, { maxSide, maxBytes }: PhotoTarget): boolean {
  if (header.type !== 'jpeg' || !header.isCommon || !header.isDense || header.bits !== 8 || header.orientation !== 1) return false;
  const isKnownColor = header.components === 1 || header.components === 3;
  return isKnownColor && data.length <= maxBytes && Math.max(header.width, header.height) <= maxSide && isComplete(data, header);
}

/** Whether there is an end-of-image marker after the frame; phones append further data after it. */
function isComplete(data: Buffer, { frameAt }: JpegHeader): boolean {
  return data.lastIndexOf(Buffer.from([0xff, 0xd9])) > frameAt;
}
