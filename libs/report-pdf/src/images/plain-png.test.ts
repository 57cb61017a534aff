import { deflateSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { blankPng, signatureUrl } from '../test/pictures.js';
import { decodeRaw } from './decode.js';
import { readPlainPng } from './plain-png.js';
import { chunk, PNG_SIGNATURE } from './write-png.js';

const WIDTH = 600;
const HEIGHT = 200;
const ROW = WIDTH * 4;

async function drawing(): Promise<Buffer> {
  const url = await signatureUrl();
  return sharp(Buffer.from(url.slice(url.indexOf(',') + 1), 'base64'))
    .raw()
    .toBuffer();
}

/** Encodes rows with PNG filters (PNG, 9.2): none, sub, up, average. */
function filtered(pixels: Buffer, filterOf: (y: number) => number): Buffer {
  const rows = Buffer.alloc((ROW + 1) * HEIGHT);
  for (let y = 0; y < HEIGHT; y++) {
    rows[y * (ROW + 1)] = filterOf(y);
    for (let x = 0; x < ROW; x++) {
      const left = x < 4 ? 0 : (pixels[y * ROW + x - 4] ?? 0);
      const above = y === 0 ? 0 : (pixels[(y - 1) * ROW + x] ?? 0);
      const expected = [0, left, above, (left + above) >> 1][filterOf(y)] ?? 0;
      rows[y * (ROW + 1) + 1 + x] = (pixels[y * ROW + x] ?? 0) - expected;
    }
  }
  return rows;
}

function pngOf(rows: Buffer, ...extra: readonly Buffer[]): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(HEIGHT, 4);
  header.set([8, 6], 8);
  const compressed = deflateSync(rows);
  const parts = [compressed.subarray(0, 99), compressed.subarray(99)].map((part) => chunk('IDAT', part));
  return Buffer.concat([PNG_SIGNATURE, chunk('IHDR', header), ...extra, ...parts, chunk('IEND', Buffer.alloc(0))]);
}

function pixelsOf(png: Buffer): Buffer | undefined {
  const image = readPlainPng(png);
  if (image === undefined) return undefined;
  const { pixels, width, height, firstRow, rowBytes } = image;
  const starts = Array.from({ length: height }, (_, y) => firstRow + y * rowBytes);
  return Buffer.concat(starts.map((start) => pixels.subarray(start, start + width * 4)));
}

describe('readPlainPng', () => {
  it.each([
    ['no filter', () => 0],
    ['the filter Sub', () => 1],
    ['the filter Up', () => 2],
    ['alternating filters', (y: number) => y % 3],
  ])('reads rows with %s like sharp', async (_how, filterOf) => {
    const pixels = await drawing();
    const png = pngOf(filtered(pixels, filterOf), chunk('pHYs', Buffer.alloc(9)));
    expect(pixelsOf(png)?.equals(pixels)).toBe(true);
    expect((await decodeRaw(png, WIDTH)).pixels.equals(pixels)).toBe(true);
  });

  it('returns undefined for unsupported pictures', async () => {
    const pixels = await drawing();
    const rows = filtered(pixels, () => 0);
    const others = [
      pngOf(filtered(pixels, (y) => (y === 150 ? 3 : 0))),
      pngOf(rows, chunk('iCCP', Buffer.from('profile'))),
      await blankPng({ width: 30, height: 20, colorType: 2 }),
      await blankPng({ width: 30, height: 20, colorType: 6, isInterlaced: true }),
      await blankPng({ width: 1000, height: 251, colorType: 6 }),
      Buffer.from('hello, this is text, and more of it than a header has'),
    ];
    for (const other of others) expect(readPlainPng(other)).toBeUndefined();
    expect(readPlainPng(pngOf(rows))).toBeDefined();
  });

  it('returns undefined for damaged pictures', async () => {
    const rows = filtered(await drawing(), () => 0);
    const png = pngOf(rows);
    const flipped = Buffer.from(png);
    flipped[60] = (flipped[60] ?? 0) ^ 1;
    const wrong = [flipped, png.subarray(0, 5_000), png.subarray(0, -12), pngOf(Buffer.concat([rows, rows])), pngOf(rows.subarray(9))];
    for (const one of wrong) expect(readPlainPng(one)).toBeUndefined();
  });
});
