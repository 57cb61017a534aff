import { describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { blankPng, canvas } from '../test/pictures.js';
import { prepareSignature } from './prepare-signature.js';

/** A stroke of 40 by 10 pixels on a transparent background. */
const drawing = (fill: string, opacity = 1): Buffer =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="100"><rect x="20" y="30" width="40" height="10" fill="${fill}" fill-opacity="${opacity.toString()}"/></svg>`,
  );

async function colorOf(data: Buffer): Promise<readonly number[]> {
  const { channels } = await sharp(data).stats();
  return channels.map(({ mean }) => Math.round(mean));
}

describe('prepareSignature', () => {
  it('crops to the ink and makes it opaque', async () => {
    const { data, largest } = await prepareSignature(await sharp(drawing('#102a6b')).png().toBuffer());
    expect(largest).toEqual({ width: 24, height: 6 });
    expect(await sharp(data).metadata()).toMatchObject({
      format: 'png',
      width: 40,
      height: 10,
      channels: 3,
      hasAlpha: false,
      isProgressive: false,
    });
    expect(await colorOf(data)).toEqual([0x10, 0x2a, 0x6b]);
  });

  it('keeps colours, in a palette if they fit into one', async () => {
    const ramp = (stops: string): Buffer =>
      Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="60"><defs><linearGradient id="g" x2="1" y2="1">${stops}</linearGradient></defs><rect x="10" y="10" width="380" height="40" fill="url(#g)"/></svg>`,
      );
    const few = ramp('<stop offset="0" stop-color="#000"/><stop offset="1" stop-color="#333"/>');
    const many = ramp('<stop offset="0" stop-color="#c00"/><stop offset=".5" stop-color="#0c0"/><stop offset="1" stop-color="#00c"/>');
    for (const [colors, isPaletted] of [
      [few, true],
      [many, false],
    ] as const) {
      const { data } = await prepareSignature(await sharp(colors).png().toBuffer());
      expect(data.includes('PLTE')).toBe(isPaletted);
      const expected = sharp(colors).flatten({ background: '#fff' }).extract({ left: 10, top: 10, width: 380, height: 40 });
      expect((await sharp(data).raw().toBuffer()).equals(await expected.raw().toBuffer())).toBe(true);
    }
  });

  it('blends semi-transparent ink with white', async () => {
    const { data } = await prepareSignature(await sharp(drawing('#000000', 0.5)).png().toBuffer());
    for (const mean of await colorOf(data)) expect(Math.abs(mean - 127)).toBeLessThanOrEqual(1);
  });

  it('crops photographed paper, too', async () => {
    const paper = sharp(drawing('#000000')).flatten({ background: '#fafafa' });
    const { data } = await prepareSignature(await paper.png().toBuffer());
    expect(await sharp(data).metadata()).toMatchObject({ width: 40, height: 10 });
  });

  it('accepts JPEGs, and reduces large ones', async () => {
    const { data } = await prepareSignature(await canvas(2000, 500, '#123456').jpeg().toBuffer());
    expect(await sharp(data).metadata()).toMatchObject({ format: 'png', width: 800, height: 200 });
  });

  it('keeps the size of an empty one', async () => {
    const { data } = await prepareSignature(await blankPng({ width: 30, height: 20, colorType: 6 }));
    expect(await sharp(data).metadata()).toMatchObject({ width: 30, height: 20 });
    expect(await colorOf(data)).toEqual([255, 255, 255]);
  });

  it('rejects decompression bombs and other data', async () => {
    await expect(prepareSignature(await blankPng({ width: 3000, height: 3000, colorType: 6 }))).rejects.toMatchObject({ problem: 'large' });
    const torn = (await sharp(drawing('#000000')).png().toBuffer()).subarray(0, -30);
    await expect(prepareSignature(torn)).rejects.toMatchObject({ problem: 'broken' });
    await expect(prepareSignature(Buffer.from('hello, this is text'))).rejects.toMatchObject({ problem: 'unsupported' });
    await expect(prepareSignature(Buffer.alloc(1))).rejects.toMatchObject({ problem: 'broken' });
  });
});
