import { embeddedFonts } from '../text/embedded-fonts.js';
import type { Run } from '../text/typeface.js';
import type { Document } from './document.js';

/** The fonts of a document, of which only the used glyphs are embedded. Unused fonts are neither read nor embedded. */
export class Fonts {
  readonly #registered = new Set<Run['font']>();

  constructor(private readonly document: Document) {}

  /** Returns the width of a run at size 1. */
  readonly width = (run: Run): number => this.use(run.font).fontSize(1000).widthOfString(run.text) / 1000;

  /** Selects the current font. */
  use(font: Run['font']): Document {
    if (!this.#registered.has(font)) {
      // pdfkit also accepts a parsed font, but its types do not.
      this.document.registerFont(font, embeddedFonts[font]() as unknown as Uint8Array);
      this.#registered.add(font);
    }
    return this.document.font(font);
  }
}
