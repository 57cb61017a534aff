import { describe, expect, it } from '@jest/globals';
import { blankPng, canvas } from '../test/pictures.js';
import { readImageHeader } from './image-header.js';

describe('readImageHeader', () => {
  it('reads the frame of JPEGs', async () => {
    expect(readImageHeader(await canvas(30, 20).jpeg().toBuffer())).toEqual({
      type: 'jpeg',
      width: 30,
      height: 20,
      components: 3,
      bits: 8,
      isWhole: false,
      isCommon: true,
      orientation: 1,
      isDense: true,
      frameAt: expect.any(Number),
    });
    const turned = await canvas(30, 20).withMetadata({ orientation: 6 }).jpeg({ progressive: true }).toBuffer();
    expect(readImageHeader(turned)).toMatchObject({ width: 30, isWhole: true, isCommon: true, orientation: 6 });
    const grey = canvas(30, 20).greyscale().toColourspace('b-w').jpeg();
    expect(readImageHeader(await grey.toBuffer())).toMatchObject({ components: 1 });
    const inks = canvas(30, 20).toColourspace('cmyk').jpeg();
    expect(readImageHeader(await inks.toBuffer())).toMatchObject({ components: 4 });
  });

  it('reads as many entries of a directory as its segment has, even if it claims more', async () => {
    const upright = await canvas(30, 20).jpeg().toBuffer();
    const segment = Buffer.from('ffe10012457869660000' + '49492a0008000000' + 'ffff', 'hex');
    const hostile = Buffer.concat([upright.subarray(0, 2), ...Array<Buffer>(100_000).fill(segment), upright.subarray(2)]);
    const before = process.cpuUsage();
    expect(readImageHeader(hostile)).toMatchObject({ width: 30, height: 20, orientation: 1 });
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(1_000);
  });

  it('reads the header of PNGs', async () => {
    expect(readImageHeader(await blankPng({ width: 12, height: 9, colorType: 6, isInterlaced: true }))).toEqual({
      type: 'png',
      width: 12,
      height: 9,
      hasAlpha: true,
      isInterlaced: true,
    });
    expect(readImageHeader(await canvas(30, 20).png().toBuffer())).toMatchObject({ hasAlpha: false, isInterlaced: false });
    expect(readImageHeader(await canvas(30, 20).png({ palette: true }).toBuffer())).toMatchObject({ hasAlpha: false });
    const glass = canvas(30, 20).ensureAlpha(0.5).png({ palette: true });
    expect(readImageHeader(await glass.toBuffer())).toMatchObject({ hasAlpha: true });
  });

  it.each([
    ['webp', canvas(300, 200).webp()],
    ['webp', canvas(300, 200).webp({ lossless: true })],
    ['webp', canvas(300, 200).ensureAlpha(0.5).webp()],
    ['gif', canvas(300, 200).gif()],
    ['avif', canvas(300, 200).avif({ effort: 0 })],
  ] as const)('reads the size of a %s', async (type, image) => {
    expect(readImageHeader(await image.toBuffer())).toEqual({ type, width: 300, height: 200 });
  });

  it('recognises HEIC, which cannot be decoded', async () => {
    const avif = await canvas(300, 200).avif({ effort: 0 }).toBuffer();
    const heic = Buffer.from(avif.toString('latin1').replaceAll('avif', 'heic'), 'latin1');
    expect(readImageHeader(heic)).toMatchObject({ type: 'heic', width: 300, height: 200 });
  });

  it.each(['<svg xmlns="http://www.w3.org/2000/svg"/>', 'hello, world, how are you', '%PDF-1.7 and so on and on'])(
    'knows that %s is none',
    (text) => {
      expect(readImageHeader(Buffer.from(text))).toBeUndefined();
    },
  );

  it.each(['ffd8', 'ffd8ffe1', '89504e470d0a1a0a00', 'ffd8ffe1ffff4578696600004d4d002a000000ff'])(
    'throws if the data ends after %s',
    (hex) => {
      expect(() => readImageHeader(Buffer.from(hex, 'hex'))).toThrow(/out of range/);
    },
  );
});
