import sharp from 'sharp';

/** A photo as a phone would upload it, with a small preview. */
export interface DrawnPhoto {
  readonly photo: Buffer;
  readonly thumb: Buffer;
}

const THUMB_WIDTH = 320;
const QUALITY = 72;

export async function drawPhoto(svg: string): Promise<DrawnPhoto> {
  // Drawn once: that is what costs time.
  const { data, info } = await sharp(Buffer.from(svg)).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const pixels = sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } });
  const jpeg = { quality: QUALITY };
  const thumb = await pixels.clone().resize({ width: THUMB_WIDTH }).jpeg(jpeg).toBuffer();
  return { photo: await pixels.jpeg(jpeg).toBuffer(), thumb };
}

/** A data URL, as the apps send signatures: ink on nothing. */
export async function drawSignature(svg: string): Promise<string> {
  const png = await sharp(Buffer.from(svg)).png({ palette: true, colours: 32 }).toBuffer();
  return `data:image/png;base64,${png.toString('base64')}`;
}
