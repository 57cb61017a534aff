import { embeddedFonts } from '../text/embedded-fonts.js';
import type { Run } from '../text/typeface.js';
import type { Document } from './document.js';

/** The fonts of a document, of which it embeds the glyphs that are used; one that no text needs is neither read nor embedded. */
export class Fonts {
  readonly #registered = new Set<Run['font']>();

  constructor(private readonly document: Document) {}

  /** The width of a run at size 1. */
  readonly width = (run: Run): number => this.use(run.font).fontSize(1000).widthOfString(run.text) / 1000;

  /** Makes a font the current one. */
  use(font: Run['font']): Document {
    if (!this.#registered.has(font)) {
      // The types do not know that a parsed font will do.
      this.document.registerFont(font, embeddedFonts[font]() as unknown as Uint8Array);
      this.#registered.add(font);
    }
    return this.document.font(font);
  }
}
