import type { Measure, TypeStyle } from './measure.js';

/** Characters after which a long word may be broken. */
const PIECES = /[^-/\\_.@&=?]*[-/\\_.@&=?]+|[^-/\\_.@&=?]+$/g;
const graphemes = new Intl.Segmenter('de', { granularity: 'grapheme' });

/**
 * Wraps a text to lines of at most `width` points. Lines are broken at spaces; words that are wider than a line are broken after
 * punctuation, or otherwise between any two letters. Line breaks of the text are kept.
 */
export function wrap(text: string, width: number, style: TypeStyle, measure: Measure): readonly string[] {
  return text.split('\n').flatMap((paragraph) => wrapParagraph(paragraph, width, (part) => measure.width(part, style)));
}

function wrapParagraph(paragraph: string, width: number, widthOf: (text: string) => number): readonly string[] {
  const lines: string[] = [];
  const space = widthOf(' ');
  // Words are joined when the line is full, because a string that is built by concatenation occupies several times its length.
  let line: string[] = [];
  let used = 0;
  for (const word of paragraph.split(' ')) {
    const wordWidth = widthOf(word);
    if (line.length > 0 && used + space + wordWidth <= width) {
      line.push(word);
      used += space + wordWidth;
      continue;
    }
    if (line.length > 0) lines.push(line.join(' '));
    if (wordWidth <= width) {
      line = [word];
      used = wordWidth;
    } else {
      lines.push(...fill(piecesOf(word, width, widthOf), width, widthOf));
      const last = lines.pop() ?? '';
      line = [last];
      used = widthOf(last);
    }
  }
  return [...lines, line.join(' ')];
}

/** Splits a long word into pieces that are not broken further. */
function piecesOf(word: string, width: number, widthOf: (text: string) => number): readonly string[] {
  const pieces = word.match(PIECES) ?? [word];
  return pieces.flatMap((piece) => (widthOf(piece) <= width ? [piece] : Array.from(graphemes.segment(piece), ({ segment }) => segment)));
}

function fill(pieces: readonly string[], width: number, widthOf: (text: string) => number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  let used = 0;
  for (const piece of pieces) {
    const pieceWidth = widthOf(piece);
    if (line !== '' && used + pieceWidth > width) {
      lines.push(line);
      line = '';
      used = 0;
    }
    line += piece;
    used += pieceWidth;
  }
  return [...lines, line];
}
