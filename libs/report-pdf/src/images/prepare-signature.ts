import { promisify } from 'node:util';
import { crc32, deflate } from 'node:zlib';
import { decodeRaw, type RawImage } from './decode.js';
import type { PreparedImage } from './prepare-photo.js';

const deflated = promisify(deflate);

/** More than a frame of 5 cm can show. */
const MAX_SIDE = 800;
/** A dot stays a dot. */
const POINTS_PER_PIXEL = 0.6;
const WHITE = 255;
/** Paper that was photographed is not quite white. */
const INK_BELOW = 245;

/**
 * A signature on white, cut to its ink: some sign in a corner of the screen. Written as the plainest PNG there is, because pdfkit takes that
 * as it is, whereas it would split one with transparency in seven times the time of a whole report.
 *
 * @throws ImageProblem `large`, `unsupported` or `broken`
 */
export async function prepareSignature(data: Buffer): Promise<PreparedImage> {
  const image = await decodeRaw(data, MAX_SIDE);
  const ink = inkOf(image);
  const [width, height] = [ink.right - ink.left, ink.bottom - ink.top];
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits for each of three colours, not interlaced.
  header.set([8, 2], 8);
  const pixels = await deflated(onWhite(image, ink), { level: 1 });
  return {
    data: Buffer.concat([PNG_SIGNATURE, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]),
    largest: { width: width * POINTS_PER_PIXEL, height: height * POINTS_PER_PIXEL },
  };
}

interface Area {
  readonly left: number;
  readonly top: number;
  /** The first column and row behind it. */
  readonly right: number;
  readonly bottom: number;
}

/** Where something is drawn; all of it where nothing is. */
function inkOf(image: RawImage): Area {
  const { width, height } = image;
  const drawn = drawnPixels(image);
  const area = { left: width, top: height, right: 0, bottom: 0 };
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      if (drawn[at] === 0 || !isInk(image.pixels, at * 4)) continue;
      if (x < area.left) area.left = x;
      if (x >= area.right) area.right = x + 1;
      if (y < area.top) area.top = y;
      area.bottom = y + 1;
    }
  }
  return area.right === 0 ? { left: 0, top: 0, right: width, bottom: height } : area;
}

/** One number for each pixel, zero where nothing was ever drawn: nearly everywhere. */
function drawnPixels({ pixels }: RawImage): Uint32Array {
  const { buffer, byteOffset, length } = byteOffsetFits(pixels) ? pixels : Uint8Array.from(pixels);
  return new Uint32Array(buffer, byteOffset, length / 4);
}

function byteOffsetFits({ byteOffset }: Buffer): boolean {
  return byteOffset % Uint32Array.BYTES_PER_ELEMENT === 0;
}

function isInk(pixels: Buffer, at: number): boolean {
  const dark = Math.min(pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0);
  return WHITE - ((WHITE - dark) * (pixels[at + 3] ?? 0)) / WHITE < INK_BELOW;
}

/** Rows of PNG, each after a zero: no filter. */
function onWhite(image: RawImage, { left, top, right, bottom }: Area): Buffer {
  const { pixels, width } = image;
  const words = drawnPixels(image);
  const rowBytes = 1 + (right - left) * 3;
  const rows = Buffer.alloc(rowBytes * (bottom - top), WHITE);
  for (let y = top; y < bottom; y++) {
    let to = (y - top) * rowBytes;
    rows[to++] = 0;
    for (let pixel = y * width + left; pixel < y * width + right; pixel++, to += 3) {
      if (words[pixel] === 0) continue;
      const from = pixel * 4;
      const alpha = pixels[from + 3] ?? 0;
      const paper = WHITE - alpha;
      rows[to] = ((pixels[from] ?? 0) * alpha) / WHITE + paper;
      rows[to + 1] = ((pixels[from + 1] ?? 0) * alpha) / WHITE + paper;
      rows[to + 2] = ((pixels[from + 2] ?? 0) * alpha) / WHITE + paper;
    }
  }
  return rows;
}

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

function chunk(type: string, data: Buffer): Buffer {
  const bytes = Buffer.alloc(12 + data.length);
  bytes.writeUInt32BE(data.length, 0);
  bytes.write(type, 4, 'latin1');
  data.copy(bytes, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + data.length)), 8 + data.length);
  return bytes;
}
