import { promisify } from 'node:util';
import { crc32, deflate, deflateSync } from 'node:zlib';

const deflated = promisify(deflate);

/** Opaque pixels with three bytes each, or with one byte that is an index into a palette. */
export interface OpaquePixels {
  readonly width: number;
  readonly height: number;
  readonly palette?: Buffer;
  /** Rows from the top, each preceded by a zero byte (no filter). */
  readonly rows: Buffer;
}

/** The signature with which every PNG begins. */
export const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
/** Up to this size, compressing synchronously is faster than using another thread. */
const MAX_AT_ONCE = 256 * 1024;
const COLORS = 2;
const PALETTE = 3;

/** Writes a minimal PNG (ISO/IEC 15948), which pdfkit embeds unchanged. */
export async function writePng({ width, height, palette, rows }: OpaquePixels): Promise<Buffer> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, palette === undefined ? COLORS : PALETTE], 8);
  return Buffer.concat([
    PNG_SIGNATURE,
    chunk('IHDR', header),
    ...(palette === undefined ? [] : [chunk('PLTE', palette)]),
    chunk('IDAT', rows.length > MAX_AT_ONCE ? await deflated(rows, { level: 1 }) : deflateSync(rows, { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Returns a chunk of a PNG with its checksum. */
export function chunk(type: string, data: Buffer): Buffer {
  const bytes = Buffer.alloc(12 + data.length);
  bytes.writeUInt32BE(data.length, 0);
  bytes.write(type, 4, 'latin1');
  data.copy(bytes, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + data.length)), 8 + data.length);
  return bytes;
}
