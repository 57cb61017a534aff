import { embeddedFonts } from './embedded-fonts.js';

export type Weight = 'regular' | 'bold';

/** A text that a single font can show. */
export interface Run {
  readonly text: string;
  readonly font: Weight | 'emoji';
}

/** Windows-1252: most lines contain only these characters, and the text fonts support all of them. */
const COMMON = /^[\n\u0020-\u007e\u00a0-\u00ff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]*$/u;
/** A complete emoji: a pictograph with skin tone, selector and joined pictographs, a flag, or a keycap. */
const PICTURE =
  /\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]*(?:\u200d\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]*)*|\p{RI}{2}|[0-9#*]\ufe0f?\u20e3/gu;
const JOINERS = /[\ufe00-\ufe0f\u200d]/gu;
const BOX = '□';
/**
 * Replacements with the same meaning for characters that no font has, but that users write: diameter signs, arrows, bullets pasted from
 * Word. Most important are ticks and crosses, for which a box would mean the opposite.
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

/** Splits a line into runs by font. Characters that no font has are replaced by one with the same meaning, or by a box. */
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

/**
 * Whether a sequence is drawn with the emoji font, which must have all of it. Some characters, such as `™` and `☺`, are also in the text
 * fonts, which take precedence.
 */
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

/**
 * Replaces characters without glyph by their compatibility form (NFKC: full-width letters, mathematical letters) or by a box, so that
 * nothing is dropped.
 */
function shown(text: string): string {
  let result = '';
  for (const char of text.replace(JOINERS, '')) {
    const plainForm = hasLetter(char) ? char : char.normalize('NFKC');
    result += [...plainForm].every(hasLetter) ? plainForm : BOX;
  }
  return result;
}
