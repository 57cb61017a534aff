import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { createRandom } from '@stechuhr/demo-firm';
import type { Prepared } from '../../harness/types.js';

/** Number, size and noise of generated photos. The noise makes their file size realistic. */
export interface PhotoShape {
  readonly count: number;
  readonly width: number;
  readonly height: number;
  readonly noise: number;
}

/** Paths of the pictures, which are the values of the PDF cases. */
export interface PictureFiles {
  readonly photos: readonly string[];
  /** PNGs with an alpha channel, like signatures drawn in the apps. */
  readonly signatures: readonly string[];
  /** The same signatures on a white background. */
  readonly opaque: readonly string[];
}

/** Writes pictures into a temporary folder, which is removed at the end. */
export async function preparePictures(shape: PhotoShape, signatures: number): Promise<Prepared> {
  const folder = await mkdtemp(join(tmpdir(), 'stechuhr-bench-'));
  const files = async (name: string, count: number, draw: (index: number) => Promise<Buffer>): Promise<string[]> => {
    const paths: string[] = [];
    for (let index = 0; index < count; index++) {
      const path = join(folder, `${name}-${index.toString()}`);
      await writeFile(path, await draw(index));
      paths.push(path);
    }
    return paths;
  };
  const photos = await files('photo', shape.count, (index) => photo(shape, index + 1));
  return {
    values: {
      photos,
      signatures: await files('signature', signatures, (index) => signature(index).png().toBuffer()),
      opaque: await files('opaque', signatures, (index) => signature(index).flatten({ background: '#fff' }).png().toBuffer()),
    },
    close: () => rm(folder, { recursive: true }),
  };
}

function photo({ width, height, noise }: PhotoShape, seed: number): Promise<Buffer> {
  const random = createRandom(seed).next;
  const pixels = Buffer.alloc(width * height * 3);
  let at = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const grain = (random() - 0.5) * noise;
      pixels[at++] = 120 + 60 * Math.sin((x + 400 * seed) / 90) + grain;
      pixels[at++] = 120 + 50 * Math.sin(y / 70) + grain;
      pixels[at++] = 110 + grain;
    }
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 80 })
    .toBuffer();
}

function signature(index: number): Sharp {
  const curve = Array.from({ length: 14 }, (_, step) => {
    const [up, down] = [Math.sin(index * 3.1 + step * 1.7) * 60, Math.cos(index * 2.3 + step * 2.1) * 50];
    return `Q ${(50 + step * 37).toString()} ${(100 + up).toFixed(1)} ${(68 + step * 37).toString()} ${(100 + down).toFixed(1)}`;
  });
  const drawing = `<path d="M30 120 ${curve.join(' ')}" fill="none" stroke="#102a6b" stroke-width="5" stroke-linecap="round"/>`;
  return sharp(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="600" height="200">${drawing}</svg>`));
}
