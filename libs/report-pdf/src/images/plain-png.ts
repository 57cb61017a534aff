import { crc32, inflateSync } from 'node:zlib';
import { RGBA, type RawImage } from './decode.js';
import { PNG_SIGNATURE } from './write-png.js';

/** Eight bits each for red, green, blue and alpha, not interlaced. */
const PLAIN = Buffer.from([8, 6, 0, 0, 0]);
/** Chunks that do not affect the pixels. */
const HARMLESS = new Set(['IHDR', 'pHYs', 'sRGB', 'gAMA', 'tEXt', 'tIME']);
/** Decoding this many takes a millisecond, which is less than handing it to another thread. */
const MAX_PIXELS = 250_000;

interface Rows {
  readonly width: number;
  readonly height: number;
  readonly compressed: Buffer;
}

/**
 * Decodes a small PNG as browsers export it from a canvas, several times faster than a general decoder. `undefined` for other or damaged
 * pictures, which are left to the general decoder.
 */
export function readPlainPng(data: Buffer): RawImage | undefined {
  const rows = rowsOf(data);
  if (rows === undefined) return undefined;
  const { width, height, compressed } = rows;
  const image = { width, height, firstRow: 1, rowBytes: 1 + width * RGBA };
  const pixels = inflated(compressed, image.rowBytes * height);
  return pixels !== undefined && unfilter(pixels, image.rowBytes) ? { ...image, pixels } : undefined;
}

/** Inflates the data, but not more than the size in the header allows; undefined if the size differs. */
function inflated(compressed: Buffer, size: number): Buffer | undefined {
  try {
    const bytes = inflateSync(compressed, { maxOutputLength: size, chunkSize: size + 1 });
    return bytes.length === size ? bytes : undefined;
  } catch {
    return undefined;
  }
}

function rowsOf(data: Buffer): Rows | undefined {
  if (data.length < 33 || !data.subarray(0, 8).equals(PNG_SIGNATURE) || !data.subarray(24, 29).equals(PLAIN)) return undefined;
  const [width, height] = [data.readUInt32BE(16), data.readUInt32BE(20)];
  if (width === 0 || height === 0 || width * height > MAX_PIXELS) return undefined;
  const parts: Buffer[] = [];
  for (let at = PNG_SIGNATURE.length, end = 0; at + 12 <= data.length; at = end) {
    end = at + 12 + data.readUInt32BE(at);
    if (end > data.length || crc32(data.subarray(at + 4, end - 4)) !== data.readUInt32BE(end - 4)) return undefined;
    const type = data.toString('latin1', at + 4, at + 8);
    if (type === 'IEND') return { width, height, compressed: Buffer.concat(parts) };
    if (type === 'IDAT') parts.push(data.subarray(at + 8, end - 4));
    else if (!HARMLESS.has(type)) return undefined;
  }
  return undefined;
}

/**
 * Reverses the filters of all rows, which store bytes as differences to the pixel on the left or above. Returns false for other filters.
 */
function unfilter(rows: Buffer, rowBytes: number): boolean {
  for (let row = 0; row < rows.length; row += rowBytes) {
    const filter = rows[row];
    if (filter === 1) addEarlier(rows, row + 1 + RGBA, row + rowBytes, RGBA);
    else if (filter === 2 && row > 0) addEarlier(rows, row + 1, row + rowBytes, rowBytes);
    else if (filter !== 0 && filter !== 2) return false;
  }
  return true;
}

function addEarlier(bytes: Buffer, start: number, end: number, distance: number): void {
  for (let at = start; at < end; at++) bytes[at] = (bytes[at] ?? 0) + (bytes[at - distance] ?? 0);
}
