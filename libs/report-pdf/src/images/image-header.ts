import { readJpegHeader, type JpegHeader } from './jpeg-header.js';
import { PNG_SIGNATURE } from './write-png.js';

/** The information in the header of a picture; nothing is decoded. Pixels are as stored, before any rotation. */
export type ImageHeader = JpegHeader | PngHeader | OtherHeader;

interface PngHeader {
  readonly type: 'png';
  readonly width: number;
  readonly height: number;
  readonly hasAlpha: boolean;
  readonly isInterlaced: boolean;
}

interface OtherHeader {
  readonly type: 'webp' | 'gif' | 'avif' | 'heic';
  readonly width: number;
  readonly height: number;
}

/**
 * Reads the header of a picture, recognised by its first bytes, regardless of its name or media type. `undefined` for unsupported types.
 *
 * @throws RangeError if the header is truncated
 */
export function readImageHeader(data: Buffer): ImageHeader | undefined {
  if (data.readUInt16BE(0) === 0xffd8) return readJpegHeader(data);
  if (data.subarray(0, 8).equals(PNG_SIGNATURE)) return readPngHeader(data);
  const start = data.toString('latin1', 0, 12);
  if (/^GIF8[79]a/.test(start)) return { type: 'gif', width: data.readUInt16LE(6), height: data.readUInt16LE(8) };
  if (start.startsWith('RIFF') && start.endsWith('WEBP')) return readWebpHeader(data);
  if (start.slice(4, 8) === 'ftyp') return readHeifHeader(data);
  return undefined;
}

/** Bit of the colour type that indicates an alpha channel. */
const PNG_ALPHA = 4;

function readPngHeader(data: Buffer): PngHeader {
  return {
    type: 'png',
    width: data.readUInt32BE(16),
    height: data.readUInt32BE(20),
    hasAlpha: (data.readUInt8(25) & PNG_ALPHA) !== 0 || hasChunkBeforeData(data, 'tRNS'),
    isInterlaced: data.readUInt8(28) !== 0,
  };
}

function hasChunkBeforeData(data: Buffer, wanted: string): boolean {
  for (let at = 8; at + 8 <= data.length; at += 12 + data.readUInt32BE(at)) {
    const type = data.toString('latin1', at + 4, at + 8);
    if (type === wanted) return true;
    if (type === 'IDAT') return false;
  }
  return false;
}

/** Reads the size of lossy, lossless and extended files, which store it in different ways (RFC 9649). */
function readWebpHeader(data: Buffer): OtherHeader | undefined {
  switch (data.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { type: 'webp', width: data.readUInt16LE(26) & 0x3fff, height: data.readUInt16LE(28) & 0x3fff };
    case 'VP8L': {
      const bits = data.readUInt32LE(21);
      return { type: 'webp', width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { type: 'webp', width: data.readUIntLE(24, 3) + 1, height: data.readUIntLE(27, 3) + 1 };
    default:
      return undefined;
  }
}

/**
 * Reads the size of HEIF files (ISO/IEC 23008-12): the largest `ispe` box has the size of the whole picture (tiles and previews have their
 * own).
 */
function readHeifHeader(data: Buffer): OtherHeader | undefined {
  const brands = data.toString('latin1', 8, Math.min(data.readUInt32BE(0), 128));
  const sizes: { width: number; height: number }[] = [];
  const end = Math.min(data.length, 65_536);
  for (let at = data.indexOf('ispe', 0, 'latin1'); at >= 0 && at + 16 <= end; at = data.indexOf('ispe', at + 4, 'latin1')) {
    sizes.push({ width: data.readUInt32BE(at + 8), height: data.readUInt32BE(at + 12) });
  }
  const largest = sizes.toSorted((a, b) => b.width * b.height - a.width * a.height)[0];
  return largest && { type: /avi[fs]/.test(brands) ? 'avif' : 'heic', ...largest };
}
