/** Most texts need nothing: words of printable Latin-1 with single spaces between. */
const CLEAN = /^[\u0021-\u007e\u00a1-\u00ac\u00ae-\u00ff]+(?: [\u0021-\u007e\u00a1-\u00ac\u00ae-\u00ff]+)*$/;
/**
 * Characters that steer nothing on paper: controls, and all that is never drawn (soft hyphens, zero-width spaces, direction marks, fillers,
 * tags). And U+FFFE and U+FFFF, which are no characters: the metadata of a document is XML, which cannot hold them.
 */
const INVISIBLE =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\ufff9-\ufffb\ufffe\uffff]|(?![\u200d\ufe00-\ufe0f])\p{Default_Ignorable_Code_Point}/gu;
/** Joins emoji; anywhere else it is invisible. */
const LONE_JOINER = /(?<!\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]?)\u200d|\u200d(?!\p{Extended_Pictographic})/gu;
/** Picks between pictures of one character; only emoji have any. */
const LONE_SELECTOR = /(?<!\p{Emoji})[\ufe00-\ufe0f]/gu;

/**
 * A text as it can be set in type: composed characters (NFC), `\n` as the only line end and the plain and the non-breaking space as the
 * only spaces, no invisible characters, single spaces, at most one empty line in a row, no blanks at either end.
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
    .replace(/ {2,}/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** {@link cleanText} for what has to be one line: names, codes, headings. */
export function cleanLine(text: string): string {
  return cleanText(text).replace(/\s*\n\s*/g, ' ');
}
