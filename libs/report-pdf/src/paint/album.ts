import type { ImageLoader } from '../images/image-loader.js';
import type { Problem } from '../images/image-problem.js';
import type { PreparedImage } from '../images/prepare-photo.js';
import type { PhotoEntry, PhotoSource } from '../report.js';
import type { Document } from './document.js';

/** A picture that pdfkit can draw: its bytes, or the object that pdfkit created from them. */
type Drawable = Parameters<Document['image']>[0];

/** A picture of a document, or the reason why it cannot be shown. */
export type Shown = (Pick<PreparedImage, 'largest'> & { readonly drawable: () => Drawable }) | { readonly problem: Problem };

/** Temporary problems; the photo is read again the next time it is shown. */
const PASSING: ReadonlySet<Problem> = new Set<Problem>(['late', 'unreachable']);

/** The pictures of one document. A photo is read, decoded and embedded once, however many entries show it. */
export class Album {
  readonly #photos = new Map<string, Promise<Shown>>();
  #reads = 0;

  /** @param maxReads maximum number of photos and previews that are read; further ones are not shown */
  constructor(
    private readonly document: Document,
    private readonly images: ImageLoader,
    private readonly maxReads: number,
  ) {}

  async photo({ sources }: PhotoEntry, signal: AbortSignal): Promise<Shown> {
    let problem: Problem = 'missing';
    for (const [index, source] of sources.entries()) {
      const photo = await this.#once(source, signal);
      if (!('problem' in photo)) return photo;
      // The problem of the photo is more informative than that of its preview.
      if (index === 0) problem = photo.problem;
    }
    return { problem };
  }

  async signature(dataUrl: string, signal: AbortSignal): Promise<Shown> {
    const image = await this.images.signature(dataUrl, signal);
    return 'problem' in image ? image : { drawable: () => image.data, ...(image.largest && { largest: image.largest }) };
  }

  async #once(source: PhotoSource, signal: AbortSignal): Promise<Shown> {
    const { key } = source;
    const known = key === undefined ? undefined : this.#photos.get(key);
    if (known !== undefined) return known;
    if (this.#reads >= this.maxReads) return { problem: 'many' };
    this.#reads += 1;
    const photo = this.#read(source, signal);
    if (key !== undefined) this.#photos.set(key, photo);
    return photo;
  }

  async #read(source: PhotoSource, signal: AbortSignal): Promise<Shown> {
    const image = await this.images.photo(source, signal);
    if (!('problem' in image)) return { drawable: writtenOnce(this.document, image.data) };
    if (source.key !== undefined && PASSING.has(image.problem)) this.#photos.delete(source.key);
    return image;
  }
}

/** Internal API of pdfkit: an opened picture releases its bytes when it is first drawn, and is referenced afterwards. */
interface Opening {
  openImage(data: Buffer): Drawable;
}

/** Opens a picture when it is first drawn, so that the pictures of a file are numbered in order. */
function writtenOnce(document: Document, data: Buffer): () => Drawable {
  let drawable: Drawable = data;
  return () => {
    if (Buffer.isBuffer(drawable)) drawable = (document as unknown as Opening).openImage(drawable);
    return drawable;
  };
}
