import { embeddedFonts } from './embedded-fonts.js';

export type Weight = 'regular' | 'bold';

/** Text that one font can show. */
export interface Run {
  readonly text: string;
  readonly font: Weight | 'emoji';
}

/** The fonts of one report. */
export interface Typeface {
  /** Whether letters are embedded; else they are in Helvetica, which every reader has. */
  readonly embedded: boolean;
  /** Splits a line by the fonts that can show it. What none can show becomes a box. */
  runs(text: string, weight: Weight): readonly Run[];
}

/** WinAnsi (Windows-1252, PDF 32000-1 annex D): what the 14 fonts that every reader has can show. */
const WIN_ANSI = /^[\n\u0020-\u007e\u00a0-\u00ff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]*$/u;
/** A picture with all that belongs to it (skin tone, selector, joined pictures), a flag, or a key. */
const PICTURE =
  /\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]*(?:\u200d\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]*)*|\p{RI}{2}|[0-9#*]\ufe0f?\u20e3/gu;
const JOINERS = /[\ufe00-\ufe0f\u200d]/gu;
const BOX = '□';

/** The standard fonts where they can show all texts (pictures apart, which neither family has), else the embedded ones. */
export function typefaceFor(texts: Iterable<string>): Typeface {
  let plain = true;
  for (const text of texts) {
    if (isWinAnsi(text)) continue;
    plain = false;
    if (!isWinAnsi(text.replace(PICTURE, (picture) => (isPicture(picture, isWinAnsi) ? '' : picture)))) {
      return { embedded: true, runs: (line, weight) => runsOf(line, weight, hasLetter) };
    }
  }
  return { embedded: false, runs: plain ? single : (line, weight) => runsOf(line, weight, isWinAnsi) };
}

function single(text: string, font: Weight): readonly Run[] {
  return [{ text, font }];
}

function isWinAnsi(text: string): boolean {
  return WIN_ANSI.test(text);
}

function hasLetter(char: string): boolean {
  return embeddedFonts.regular().hasGlyphForCodePoint(char.codePointAt(0) ?? 0);
}

/** Whether it has to be drawn by the font of pictures: `™` and `☺` are characters of others, too. */
function isPicture(picture: string, covers: (char: string) => boolean): boolean {
  const [first = '', ...rest] = picture.replace(/\ufe0f$/u, '');
  return (rest.length > 0 || !covers(first)) && embeddedFonts.emoji().hasGlyphForCodePoint(first.codePointAt(0) ?? 0);
}

function runsOf(text: string, weight: Weight, covers: (char: string) => boolean): readonly Run[] {
  if (isWinAnsi(text)) return single(text, weight);
  const runs: Run[] = [];
  let done = 0;
  for (const { 0: picture, index } of text.matchAll(PICTURE)) {
    if (!isPicture(picture, covers)) continue;
    append(runs, shown(text.slice(done, index), covers), weight);
    append(runs, picture, 'emoji');
    done = index + picture.length;
  }
  append(runs, shown(text.slice(done), covers), weight);
  return runs;
}

function append(runs: Run[], text: string, font: Run['font']): void {
  const last = runs.at(-1);
  if (text === '') return;
  if (last?.font === font) runs[runs.length - 1] = { text: last.text + text, font };
  else runs.push({ text, font });
}

/** What has no glyph is shown in its plain form (NFKC: full-width letters, letters of mathematics) or as a box; it is never left out. */
function shown(text: string, covers: (char: string) => boolean): string {
  let result = '';
  for (const char of text.replace(JOINERS, '')) {
    const plainForm = covers(char) ? char : char.normalize('NFKC');
    result += [...plainForm].every(covers) ? plainForm : BOX;
  }
  return result;
}
