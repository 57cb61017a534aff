import { Readable } from 'node:stream';
import { createDeflate } from 'node:zlib';
import sharp, { type Color, type Sharp } from 'sharp';
import { chunk, PNG_SIGNATURE } from '../images/write-png.js';
import type { PhotoEntry, PhotoSource } from '../report.js';

/** Creates a picture of one colour. */
export function canvas(width: number, height: number, background: Color = '#4477aa'): Sharp {
  return sharp({ create: { width, height, channels: 3, background } });
}

export function jpegOf(width: number, height: number): Promise<Buffer> {
  return canvas(width, height).jpeg().toBuffer();
}

export function sourceOf(bytes: Buffer): PhotoSource {
  return { open: () => Promise.resolve(Readable.from([bytes])) };
}

export function photoOf(...sources: readonly PhotoSource[]): PhotoEntry {
  return { sources, takenAt: '2026-10-21T09:14:00', latitude: 48.13743, longitude: 11.57549, author: 'Jonas Weber' };
}

/** Creates a signature like the apps do: ink on a transparent background. */
export async function signatureUrl(): Promise<string> {
  const drawing =
    '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="200"><path d="M30 120 Q150 20 300 110 T570 90" fill="none" stroke="#102a6b" stroke-width="5"/></svg>';
  return `data:image/png;base64,${(await sharp(Buffer.from(drawing)).png().toBuffer()).toString('base64')}`;
}

/** The kinds of PNG that are tested; colour type 6 has an alpha channel. */
export interface PngShape {
  readonly width: number;
  readonly height: number;
  readonly colorType: 0 | 2 | 6;
  readonly isInterlaced?: boolean;
}

/** Creates a black or transparent PNG of any size without having its pixels in memory: 12,000² of them take 560 kB. */
export async function blankPng({ width, height, colorType, isInterlaced = false }: PngShape): Promise<Buffer> {
  const channels = { 0: 1, 2: 3, 6: 4 }[colorType];
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, colorType, 0, 0, isInterlaced ? 1 : 0], 8);
  const rows = function* () {
    const row = Buffer.alloc(1 + width * channels);
    for (let y = 0; y < height; y++) yield row;
  };
  const data = await Readable.from(rows()).compose(createDeflate()).toArray();
  return Buffer.concat([
    PNG_SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', Buffer.concat(data as Buffer[])),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
