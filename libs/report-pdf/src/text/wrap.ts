import type { Measure, TypeStyle } from './measure.js';

/** After these a long word may continue in the next line. */
const PIECES = /[^-/\\_.@&=?]*[-/\\_.@&=?]+|[^-/\\_.@&=?]+$/g;
const graphemes = new Intl.Segmenter('de', { granularity: 'grapheme' });

/**
 * The lines of a text, none wider than `width` points: broken at spaces, within words that are wider than a line after punctuation, else
 * between any two letters. Each line end of the text ends a line.
 */
export function wrap(text: string, width: number, style: TypeStyle, measure: Measure): readonly string[] {
  return text.split('\n').flatMap((paragraph) => wrapParagraph(paragraph, width, (part) => measure.width(part, style)));
}

function wrapParagraph(paragraph: string, width: number, widthOf: (text: string) => number): readonly string[] {
  const lines: string[] = [];
  const space = widthOf(' ');
  let line = '';
  let used = 0;
  for (const word of paragraph.split(' ')) {
    const wordWidth = widthOf(word);
    const fits = used + space + wordWidth <= width;
    if (line !== '' && !fits) lines.push(line);
    if (line !== '' && fits) {
      line += ` ${word}`;
      used += space + wordWidth;
    } else if (wordWidth <= width) {
      line = word;
      used = wordWidth;
    } else {
      lines.push(...fill(piecesOf(word, width, widthOf), width, widthOf));
      line = lines.pop() ?? '';
      used = widthOf(line);
    }
  }
  return [...lines, line];
}

/** The parts of a long word that stay whole. */
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
