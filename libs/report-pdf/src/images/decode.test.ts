import { describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { decoded } from './decode.js';

describe('the decoding of a picture', () => {
  it('that takes too long does not make the picture broken', async () => {
    const large = sharp({ create: { width: 8_000, height: 8_000, channels: 3, background: '#808080' } }).blur(400);
    const decoding = large.timeout({ seconds: 1 }).png().toBuffer();
    await expect(decoded(decoding)).rejects.toMatchObject({ problem: 'late' });
  });

  it('that fails makes it broken', async () => {
    const decoding = sharp(Buffer.from('no picture')).toBuffer();
    await expect(decoded(decoding)).rejects.toMatchObject({ problem: 'broken' });
  });
});
