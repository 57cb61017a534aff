import { decodeRaw, judgedHeader, RGBA, type RawImage } from './decode.js';
import { readPlainPng } from './plain-png.js';
import type { PreparedImage } from './prepare-photo.js';
import { writePng, type OpaquePixels } from './write-png.js';

/** Maximum size in pixels; more than a frame of 5 cm can show. */
const MAX_SIDE = 800;
/** Limits the scale, so that a dot remains a dot. */
const POINTS_PER_PIXEL = 0.6;
const WHITE = 255;
/** White, with red, green and blue in one number. */
const PAPER = 0xffffff;
/** Offset of alpha in a pixel. */
const ALPHA = 3;
/** Darker pixels count as ink; photographed paper is not pure white. */
const INK_BELOW = 245;
const MAX_PALETTE = 256;

/**
 * Converts a signature to a picture on white, cropped to the ink, because some people sign in a corner of the screen. The result is an
 * opaque PNG, which pdfkit embeds unchanged; splitting a transparent one would take seven times as long as a whole report. It uses a
 * palette if the colours fit into one.
 *
 * @throws ImageProblem `large`, `unsupported` or `broken`
 */
export async function prepareSignature(data: Buffer): Promise<PreparedImage> {
  const { width, height } = judgedHeader(data);
  const plain = Math.max(width, height) > MAX_SIDE ? undefined : readPlainPng(data);
  const image = plain ?? (await decodeRaw(data, MAX_SIDE));
  const ink = inkOf(image);
  const drawing = inPalette(image, ink) ?? inColors(image, ink);
  return {
    data: await writePng(drawing),
    largest: { width: drawing.width * POINTS_PER_PIXEL, height: drawing.height * POINTS_PER_PIXEL },
  };
}

interface Area {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Returns the area that contains ink; the whole picture if there is none. */
function inkOf({ pixels, width, height, firstRow, rowBytes }: RawImage): Area {
  let [left, top, right, bottom] = [width, height, 0, 0];
  for (let y = 0; y < height; y++) {
    for (let x = 0, at = firstRow + y * rowBytes; x < width; x++, at += RGBA) {
      if (pixels[at + ALPHA] === 0) continue;
      const isInside = x >= left && x < right && y < bottom;
      if (isInside || !isInk(pixels, at)) continue;
      left = Math.min(left, x);
      right = Math.max(right, x + 1);
      top = Math.min(top, y);
      bottom = y + 1;
    }
  }
  return right === 0 ? { left: 0, top: 0, width, height } : { left, top, width: right - left, height: bottom - top };
}

function isInk(pixels: Buffer, at: number): boolean {
  const dark = Math.min(pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0);
  return WHITE - ((WHITE - dark) * (pixels[at + ALPHA] ?? 0)) / WHITE < INK_BELOW;
}

/**
 * Converts an area to palette colours; undefined if there are too many. A pen has one colour, and its edges have blends of it with white.
 */
function inPalette(image: RawImage, { left, top, width, height }: Area): OpaquePixels | undefined {
  const { pixels } = image;
  const places = new Map([[PAPER, 0]]);
  const rows = Buffer.alloc((1 + width) * height);
  let last = 0;
  let place = 0;
  for (let y = 0; y < height; y++) {
    let at = startOf(image, left, top + y);
    const start = y * (1 + width) + 1;
    for (let to = start; to < start + width; to++, at += RGBA) {
      if (pixels[at + ALPHA] === 0) continue;
      const pixel = pixels.readUInt32LE(at);
      if (pixel !== last) place = placeOf(onWhite(pixels, at), places);
      last = pixel;
      rows[to] = place;
    }
    if (places.size > MAX_PALETTE) return undefined;
  }
  return { width, height, palette: Buffer.from([...places.keys()].flatMap((color) => bytesOf(color))), rows };
}

function startOf({ firstRow, rowBytes }: RawImage, x: number, y: number): number {
  return firstRow + y * rowBytes + x * RGBA;
}

function placeOf(color: number, places: Map<number, number>): number {
  const known = places.get(color);
  if (known !== undefined) return known;
  places.set(color, places.size);
  return places.size - 1;
}

function inColors(image: RawImage, { left, top, width, height }: Area): OpaquePixels {
  const rowBytes = 1 + width * 3;
  const rows = Buffer.alloc(rowBytes * height, WHITE);
  for (let y = 0; y < height; y++) {
    let to = y * rowBytes;
    rows[to++] = 0;
    let at = startOf(image, left, top + y);
    for (const end = at + width * RGBA; at < end; at += RGBA, to += 3) {
      if (image.pixels[at + ALPHA] !== 0) rows.writeUIntBE(onWhite(image.pixels, at), to, 3);
    }
  }
  return { width, height, rows };
}

/** Returns the colour of a pixel on a white background. */
function onWhite(pixels: Buffer, at: number): number {
  const alpha = pixels[at + ALPHA] ?? 0;
  return (mixed(pixels[at] ?? 0, alpha) << 16) | (mixed(pixels[at + 1] ?? 0, alpha) << 8) | mixed(pixels[at + 2] ?? 0, alpha);
}

function mixed(color: number, alpha: number): number {
  return Math.trunc((color * alpha) / WHITE + WHITE - alpha);
}

function bytesOf(color: number): readonly number[] {
  return [color >> 16, (color >> 8) & 0xff, color & 0xff];
}
