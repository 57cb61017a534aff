import { describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { blankPng, canvas, jpegOf, type PngShape } from '../test/pictures.js';
import { ImageProblem } from './image-problem.js';
import { preparePhoto } from './prepare-photo.js';

const TARGET = { maxSide: 400, maxBytes: 100_000 };

async function prepared(data: Buffer): Promise<{ data: Buffer; width: number; height: number; space: string }> {
  const { data: bytes } = await preparePhoto(data, TARGET);
  const { format, width, height, space } = await sharp(bytes).metadata();
  expect(format).toBe('jpeg');
  return { data: bytes, width, height, space };
}

async function problemOf(data: Buffer): Promise<string> {
  const problem = await preparePhoto(data, TARGET).then(
    () => 'none',
    (caught: unknown) => (caught instanceof ImageProblem ? caught.problem : String(caught)),
  );
  return problem;
}

/** A JPEG that claims a size; its pixels are those of a small one. */
function claiming(jpeg: Buffer, width: number, height: number): Buffer {
  const copy = Buffer.from(jpeg);
  const frame = copy.findIndex((byte, at) => byte === 0xff && (copy[at + 1] === 0xc0 || copy[at + 1] === 0xc2));
  copy.writeUInt16BE(height, frame + 5);
  copy.writeUInt16BE(width, frame + 7);
  return copy;
}

/** A JPEG that says that its first scan has one colour only. */
function inSeveralScans(jpeg: Buffer): Buffer {
  const copy = Buffer.from(jpeg);
  copy.writeUInt8(1, copy.indexOf(Buffer.from([0xff, 0xda])) + 4);
  return copy;
}

/** With bytes between its start and its first segment, where ITU-T T.81 (B.1.1.2) allows any number of fill bytes. */
function filled(jpeg: Buffer, fill: string): Buffer {
  return Buffer.concat([jpeg.subarray(0, 2), Buffer.from(fill, 'hex'), jpeg.subarray(2)]);
}

/** With an Exif segment that holds a preview, a JPEG of its own. */
function withPreview(jpeg: Buffer, preview: Buffer): Buffer {
  const exif = Buffer.concat([Buffer.from('Exif\0\0II*\0\b\0\0\0\0\0\0\0\0\0', 'latin1'), preview]);
  const head = Buffer.from([0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(exif.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), head, exif, jpeg.subarray(2)]);
}

describe('preparePhoto', () => {
  it('embeds a suitable JPEG unchanged', async () => {
    const jpeg = await jpegOf(400, 300);
    expect((await preparePhoto(jpeg, TARGET)).data).toBe(jpeg);
    const grey = await canvas(40, 30).greyscale().toColourspace('b-w').jpeg({ progressive: true }).toBuffer();
    expect((await preparePhoto(grey, TARGET)).data).toBe(grey);
  });

  it('makes a larger one smaller', async () => {
    expect(await prepared(await jpegOf(1200, 600))).toMatchObject({ width: 400, height: 200 });
  });

  it('makes one of too many bytes smaller', async () => {
    const noise = sharp({
      create: { width: 400, height: 400, channels: 3, background: '#fff', noise: { type: 'gaussian', mean: 128, sigma: 90 } },
    });
    const jpeg = await noise.jpeg({ quality: 100, chromaSubsampling: '4:4:4' }).toBuffer();
    expect(jpeg.length).toBeGreaterThan(TARGET.maxBytes);
    expect((await prepared(jpeg)).data.length).toBeLessThan(jpeg.length / 2);
  });

  it('rotates photos that were taken sideways', async () => {
    const jpeg = await canvas(200, 100).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    expect(await prepared(jpeg)).toMatchObject({ width: 100, height: 200 });
  });

  it.each([
    ['a CMYK JPEG', () => canvas(40, 30).toColourspace('cmyk').jpeg()],
    ['PNG', () => canvas(40, 30).png()],
    ['WebP', () => canvas(40, 30).webp()],
    ['GIF', () => canvas(40, 30).gif()],
    ['AVIF', () => canvas(40, 30).avif({ effort: 0 })],
  ] as const)('converts %s to an sRGB JPEG', async (_, image) => {
    expect(await prepared(await image().toBuffer())).toMatchObject({ width: 40, height: 30, space: 'srgb' });
  });

  it('puts transparent pictures on white', async () => {
    const glass = await canvas(20, 20).ensureAlpha(0).png().toBuffer();
    const { data } = await prepared(glass);
    expect((await sharp(data).stats()).channels.every(({ min }) => min > 250)).toBe(true);
  });

  const shapes: readonly (readonly [string, PngShape])[] = [
    ['8.4 MP with alpha', { width: 2900, height: 2900, colorType: 6 }],
    ['8.4 MP interlaced', { width: 2900, height: 2900, colorType: 0, isInterlaced: true }],
    ['41 MP', { width: 8200, height: 5000, colorType: 0 }],
  ];
  it.each(shapes)('refuses a PNG of %s', async (_, shape) => {
    expect(await problemOf(await blankPng(shape))).toBe('large');
  });

  it('takes a PNG of 12 MP without alpha', async () => {
    expect(await prepared(await blankPng({ width: 4000, height: 3000, colorType: 0 }))).toMatchObject({ width: 400, height: 300 });
  });

  it('refuses by what the header claims, before anything is decoded', async () => {
    expect(await problemOf(claiming(await jpegOf(16, 16), 8000, 5001))).toBe('large');
    expect(await problemOf(claiming(await canvas(16, 16).jpeg({ progressive: true }).toBuffer(), 6000, 5000))).toBe('large');
    const inks = canvas(16, 16).toColourspace('cmyk');
    expect(await problemOf(claiming(await inks.jpeg({ progressive: true }).toBuffer(), 5000, 4000))).toBe('large');
    expect(await problemOf(claiming(inSeveralScans(await jpegOf(16, 16)), 6000, 5000))).toBe('large');
    expect(await problemOf(claiming(await jpegOf(16, 16), 0, 100))).toBe('broken');
  });

  it.each(['ff', 'ffffff', 'ff01', '0000'])('rewrites a JPEG that has %s between its segments', async (fill) => {
    const jpeg = filled(await jpegOf(40, 30), fill);
    const { data } = await prepared(jpeg);
    expect(data).not.toBe(jpeg);
  });

  it('does not take the end of a preview for that of the photo', async () => {
    const photo = withPreview(await jpegOf(300, 300), await jpegOf(30, 30));
    expect((await preparePhoto(photo, TARGET)).data).toBe(photo);
    expect(await problemOf(photo.subarray(0, photo.length - 20))).toBe('broken');
  });

  it('refuses what cannot be decoded', async () => {
    const jpeg = await jpegOf(1000, 1000);
    expect(await problemOf(jpeg.subarray(0, jpeg.length / 2))).toBe('broken');
    const little = await jpegOf(100, 100);
    expect(await problemOf(little.subarray(0, little.length - 20))).toBe('broken');
    expect(await problemOf(Buffer.from('ffd8ffdb0004', 'hex'))).toBe('broken');
    expect(await problemOf(Buffer.from('no picture at all, just words'))).toBe('unsupported');
    expect(await problemOf(Buffer.alloc(0))).toBe('broken');
    const avif = (await canvas(30, 30).avif({ effort: 0 }).toBuffer()).toString('latin1');
    expect(await problemOf(Buffer.from(avif.replaceAll('avif', 'heic'), 'latin1'))).toBe('unsupported');
  });
});
