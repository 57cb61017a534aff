import { describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { blankPng, canvas } from '../test/pictures.js';
import { prepareSignature } from './prepare-signature.js';

/** A stroke of 40 by 10 pixels on nothing. */
const drawing = (fill: string, opacity = 1): Buffer =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="100"><rect x="20" y="30" width="40" height="10" fill="${fill}" fill-opacity="${opacity.toString()}"/></svg>`,
  );

async function colorOf(data: Buffer): Promise<readonly number[]> {
  const { channels } = await sharp(data).stats();
  return channels.map(({ mean }) => Math.round(mean));
}

describe('prepareSignature', () => {
  it('cuts to the ink and makes it opaque', async () => {
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

  it('lets white shine through thin ink', async () => {
    const { data } = await prepareSignature(await sharp(drawing('#000000', 0.5)).png().toBuffer());
    for (const mean of await colorOf(data)) expect(Math.abs(mean - 127)).toBeLessThanOrEqual(1);
  });

  it('cuts paper away, too', async () => {
    const paper = sharp(drawing('#000000')).flatten({ background: '#fafafa' });
    const { data } = await prepareSignature(await paper.png().toBuffer());
    expect(await sharp(data).metadata()).toMatchObject({ width: 40, height: 10 });
  });

  it('takes JPEGs, and makes large ones smaller', async () => {
    const { data } = await prepareSignature(await canvas(2000, 500, '#123456').jpeg().toBuffer());
    expect(await sharp(data).metadata()).toMatchObject({ format: 'png', width: 800, height: 200 });
  });

  it('keeps an empty one as large as it is', async () => {
    const { data } = await prepareSignature(await blankPng({ width: 30, height: 20, colorType: 6 }));
    expect(await sharp(data).metadata()).toMatchObject({ width: 30, height: 20 });
    expect(await colorOf(data)).toEqual([255, 255, 255]);
  });

  it('refuses bombs and what is none', async () => {
    await expect(prepareSignature(await blankPng({ width: 3000, height: 3000, colorType: 6 }))).rejects.toMatchObject({ problem: 'large' });
    await expect(prepareSignature(Buffer.from('hello, this is text'))).rejects.toMatchObject({ problem: 'unsupported' });
    await expect(prepareSignature(Buffer.alloc(1))).rejects.toMatchObject({ problem: 'broken' });
  });
});
