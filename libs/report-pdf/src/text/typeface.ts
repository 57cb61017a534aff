import { embeddedFonts } from './embedded-fonts.js';

export type Weight = 'regular' | 'bold';

/** Text that one font can show. */
export interface Run {
  readonly text: string;
  readonly font: Weight | 'emoji';
}

/** Windows-1252: most lines have nothing else, and the fonts of letters have all of it. */
const COMMON = /^[\n\u0020-\u007e\u00a0-\u00ff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]*$/u;
/** A picture with all that belongs to it (skin tone, selector, joined pictures), a flag, or a key. */
const PICTURE =
  /\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]*(?:\u200d\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]*)*|\p{RI}{2}|[0-9#*]\ufe0f?\u20e3/gu;
const JOINERS = /[\ufe00-\ufe0f\u200d]/gu;
const BOX = '□';
/**
 * Characters of the same meaning for what no font has and sites write: signs of diameter, arrows, bullets that Word pastes. Ticks and crosses
 * above all, for which a box would say the opposite.
 */
const SAME_MEANING = new Map([
  ...spread('✔', '✓\uf0fc'),
  ...spread('✖', '✗✘\uf0fb'),
  ...spread('❎', '☒\uf0fd'),
  ...spread('☑', '\uf0fe'),
  ...spread('Ø', '⌀∅'),
  ...spread('→', '⇒⟶⟹➔➙➛➜➝➞➟\uf0e0\uf0e8'),
  ...spread('←', '⇐⟵\uf0df'),
  ...spread('↔', '⇔⟷'),
  ...spread('•', '➢➤❖◆\uf0b7\uf0a7\uf0d8\uf076'),
  ...spread('‖', '∥'),
  ...spread('~', '∼'),
  ...spread('≈', '≅'),
  ...spread('○', '◯'),
]);
const REPLACED = new RegExp(`[${[...SAME_MEANING.keys()].join('')}]`, 'gu');

/** Splits a line by the fonts that can show it. What none can show becomes a character of the same meaning, or a box. */
export function runsOf(line: string, weight: Weight): readonly Run[] {
  if (COMMON.test(line)) return [{ text: line, font: weight }];
  const text = line.replace(REPLACED, (char) => SAME_MEANING.get(char) ?? char);
  const runs: Run[] = [];
  let done = 0;
  for (const { 0: picture, index } of text.matchAll(PICTURE)) {
    if (!isPicture(picture)) continue;
    append(runs, shown(text.slice(done, index)), weight);
    append(runs, picture, 'emoji');
    done = index + picture.length;
  }
  append(runs, shown(text.slice(done)), weight);
  return runs;
}

function spread(to: string, from: string): readonly (readonly [from: string, to: string])[] {
  return Array.from(from, (char) => [char, to] as const);
}

function hasLetter(char: string): boolean {
  return embeddedFonts.regular().hasGlyphForCodePoint(char.codePointAt(0) ?? 0);
}

function hasPicture(char: string): boolean {
  return embeddedFonts.emoji().hasGlyphForCodePoint(char.codePointAt(0) ?? 0);
}

/** Whether it is drawn by the font of pictures, which then has all of it: `™` and `☺` are characters of others, too. */
function isPicture(picture: string): boolean {
  const [first = '', ...rest] = picture.replace(/\ufe0f$/u, '');
  return (rest.length > 0 || !hasLetter(first)) && [...picture].every(hasPicture);
}

function append(runs: Run[], text: string, font: Run['font']): void {
  const last = runs.at(-1);
  if (text === '') return;
  if (last?.font === font) runs[runs.length - 1] = { text: last.text + text, font };
  else runs.push({ text, font });
}

/** What has no glyph is shown in its plain form (NFKC: full-width letters, letters of mathematics) or as a box; it is never left out. */
function shown(text: string): string {
  let result = '';
  for (const char of text.replace(JOINERS, '')) {
    const plainForm = hasLetter(char) ? char : char.normalize('NFKC');
    result += [...plainForm].every(hasLetter) ? plainForm : BOX;
  }
  return result;
}
