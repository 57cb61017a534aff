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

/**
 * Returns the distance of the baseline from the top of its line. It depends only on the leading, so that the cells of a row are aligned.
 */
export function baseline({ leading }: TextStyle): number {
  return leading * 0.76;
}

/** Returns marks for consecutive lines; `at` is the top left corner of the first one, or its right end or middle if aligned. */
export function drawLines(
  { lines, style }: Lines,
  at: { x: number; y: number; align?: TextMark['align'] },
  tag?: Tag,
): readonly TextMark[] {
  return lines.flatMap((text, index) =>
    text === '' ? [] : [{ ...at, kind: 'text' as const, y: at.y + index * style.leading + baseline(style), text, style, tag }],
  );
}

/** Returns the height of consecutive lines. */
export function heightOf({ lines, style }: Lines): number {
  return lines.length * style.leading;
}

/** Maximum number of line breaks of texts that a report keeps: about a thousand pages. Two bytes of text are enough for a line. */
const MAX_LINE_ENDS = 50_000;

/**
 * Maximum number of lines of a name, role or heading: more than their 255 letters need, and few enough for what is below them to fit on the
 * page as well.
 */
export const NAME_LINES = 16;

/** Typesets user texts: cleans them and wraps them to a width. */
export interface Typesetter {
  /** Keeps the line breaks of the text, unless the report already has too many; then it becomes one paragraph. */
  paragraphs(text: string, width: number, style: TextStyle): Lines;
  /** Returns at most `limit` lines and ignores line breaks of the text; a truncated text ends with an ellipsis. */
  lines(text: string, width: number, style: TextStyle, limit?: number): Lines;
  width(text: string, style: TextStyle): number;
}

/** Creates a typesetter for one report, with the font metrics of its document. */
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
