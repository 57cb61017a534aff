/** Matches texts that need no change, as most do: words of printable Latin-1 with single spaces between them. */
const CLEAN = /^[\u0021-\u007e\u00a1-\u00ac\u00ae-\u00ff]+(?: [\u0021-\u007e\u00a1-\u00ac\u00ae-\u00ff]+)*$/;
/**
 * Characters without effect on paper: control characters, and everything that is never drawn (soft hyphens, zero-width spaces, direction
 * marks, fillers, tags). Also U+FFFE and U+FFFF, which are not characters and are not allowed in XML, in which the metadata of a document
 * is stored.
 */
const INVISIBLE =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\ufff9-\ufffb\ufffe\uffff]|(?![\u200d\ufe00-\ufe0f])\p{Default_Ignorable_Code_Point}/gu;
/** The zero-width joiner outside of emoji, where it is invisible. */
const LONE_JOINER = /(?<!\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]?)\u200d|\u200d(?!\p{Extended_Pictographic})/gu;
/** Variation selectors outside of emoji, the only characters that have variants here. */
const LONE_SELECTOR = /(?<!\p{Emoji})[\ufe00-\ufe0f]/gu;

/** Marks on a letter that are kept: more than any script has. Typesetting takes the square of their number. */
const MAX_MARKS = 8;
const PILED_MARKS = new RegExp(`(\\p{M}{${String(MAX_MARKS)}})\\p{M}+`, 'gu');

/**
 * Normalises a text for typesetting: composed characters (NFC), `\n` as the only line break, normal and non-breaking spaces as the only
 * spaces, no invisible characters, at most eight marks on a letter, no repeated spaces, at most one consecutive empty line, no blanks at either end.
 */
export function cleanText(text: string): string {
  if (CLEAN.test(text)) return text;
  return text
    .toWellFormed()
    .normalize('NFC')
    .replace(/\r\n?|[\u2028\u2029\v\f\u0085]/g, '\n')
    .replaceAll('\t', ' ')
    .replace(/[\u2007\u202f]/g, '\u00a0')
    .replace(/(?!\u00a0)\p{Zs}/gu, ' ')
    .replace(/[\u2010\u2011]/g, '-')
    .replaceAll('\u2212', '–')
    .replace(INVISIBLE, '')
    .replace(LONE_JOINER, '')
    .replace(LONE_SELECTOR, '')
    .replace(PILED_MARKS, '$1')
    .replace(/ {2,}/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** Like {@link cleanText}, for texts that must be a single line: names, codes, headings. */
export function cleanLine(text: string): string {
  const lines = cleanText(text).split('\n');
  return lines.length === 1
    ? (lines[0] ?? '')
    : lines
        .map((line) => line.trim())
        .filter((line) => line !== '')
        .join(' ');
}
