import { runsOf, type Run, type Weight } from './typeface.js';

/** The style of a line, except its colour. */
export interface TypeStyle {
  readonly weight: Weight;
  /** Points. */
  readonly size: number;
}

/** Measures the width of texts in points. */
export interface Measure {
  width(text: string, style: TypeStyle): number;
}

/** Returns the width of a run at size 1 in a document. */
export type RunWidth = (run: Run) => number;

/** Maximum number of cached words; in extremely long texts, words are rarely repeated. */
const WORDS_KEPT = 20_000;

/**
 * Creates a measure that caches the widths of words, because most words of a report are repeated. Kerning across spaces is ignored; it is
 * far below a point.
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
