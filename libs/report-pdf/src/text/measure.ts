import { runsOf, type Run, type Weight } from './typeface.js';

/** How a line looks, apart from its colour. */
export interface TypeStyle {
  readonly weight: Weight;
  /** Points. */
  readonly size: number;
}

/** Widths of texts in points. */
export interface Measure {
  width(text: string, style: TypeStyle): number;
}

/** The width of a run at size 1, as a document has it. */
export type RunWidth = (run: Run) => number;

/** Of a text without end, hardly a word comes back. */
const WORDS_KEPT = 20_000;

/**
 * Measures words once and keeps their widths: most words of a report come back. Kerning over a space is left out; it is far below a point.
 */
export function createMeasure(runWidth: RunWidth): Measure {
  const known: Record<Weight, Map<string, number>> = { regular: new Map(), bold: new Map() };
  const wordWidth = (word: string, weight: Weight): number => {
    const widths = known[weight];
    let width = widths.get(word);
    if (width === undefined) {
      if (widths.size >= WORDS_KEPT) widths.clear();
      width = runsOf(word, weight).reduce((sum, run) => sum + runWidth(run), 0);
      widths.set(word, width);
    }
    return width;
  };
  return {
    width(text, { weight, size }) {
      let width = 0;
      for (const [word] of text.matchAll(/ |[^ ]+/g)) width += wordWidth(word, weight);
      return width * size;
    },
  };
}
