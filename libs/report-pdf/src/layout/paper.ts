import { cleanLine, cleanText } from '../text/clean-text.js';
import type { Measure } from '../text/measure.js';
import { wrap } from '../text/wrap.js';
import type { Tag, TextMark } from './drawing.js';
import type { TextStyle } from './theme.js';

/** Lines of text in one style. */
export interface Lines {
  readonly lines: readonly string[];
  readonly style: TextStyle;
}

/** How far below the top of its line a baseline is: styles of one leading share it, so that cells of a row stand on one line. */
export function baseline({ leading }: TextStyle): number {
  return leading * 0.76;
}

/** Marks for lines below each other; `at` is the top left corner of the first, or its right or middle where they are aligned. */
export function drawLines(
  { lines, style }: Lines,
  at: { x: number; y: number; align?: TextMark['align'] },
  tag?: Tag,
): readonly TextMark[] {
  return lines.flatMap((text, index) =>
    text === '' ? [] : [{ ...at, kind: 'text' as const, y: at.y + index * style.leading + baseline(style), text, style, tag }],
  );
}

/** The height of lines below each other. */
export function heightOf({ lines, style }: Lines): number {
  return lines.length * style.leading;
}

/** What a report keeps of the line ends of its texts: about a thousand pages. Two bytes of text are enough for a line. */
const MAX_LINE_ENDS = 50_000;

/** Sets texts of people: cleaned, and broken into lines of a width. */
export interface Typesetter {
  /** Keeps the line ends of the text, unless there were too many already: then it becomes one paragraph. */
  paragraphs(text: string, width: number, style: TextStyle): Lines;
  /** At most `limit` lines without line ends of its own; what is left out ends in an ellipsis. */
  lines(text: string, width: number, style: TextStyle, limit?: number): Lines;
  width(text: string, style: TextStyle): number;
}

/** A typesetter for one report, with the widths of a document's fonts. */
export function createTypesetter(measure: Measure): Typesetter {
  let lineEndsLeft = MAX_LINE_ENDS;
  const inBounds = (text: string): string => {
    lineEndsLeft -= text.split('\n').length - 1;
    return lineEndsLeft < 0 ? cleanLine(text) : text;
  };
  const cut = (text: string, width: number, style: TextStyle): string => {
    let kept = text;
    while (kept !== '' && measure.width(`${kept}…`, style) > width) kept = [...kept].slice(0, -1).join('');
    return `${kept.trimEnd()}…`;
  };
  return {
    paragraphs: (text, width, style) => ({ lines: wrap(inBounds(cleanText(text)), width, style, measure), style }),
    lines(text, width, style, limit = Infinity) {
      const lines = wrap(cleanLine(text), width, style, measure);
      if (lines.length <= limit) return { lines, style };
      return { lines: [...lines.slice(0, limit - 1), cut(lines[limit - 1] ?? '', width, style)], style };
    },
    width: (text, style) => measure.width(cleanLine(text), style),
  };
}
