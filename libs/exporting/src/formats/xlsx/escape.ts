import type { ByteBuffer } from './byte-buffer.js';

/** Maximum number of characters in a cell (Excel specifications and limits); Excel refuses files with longer texts. */
const MAX_CELL_LENGTH = 32_767;

const HIGH_SURROGATE_AT_END = /[\uD800-\uDBFF]$/;

/** Matches texts that need escaping, in a single test, because most texts need none. */
const SPECIAL = /[&<>\0-\x1F\uFFFE\uFFFF]|_x[\dA-Fa-f]{4}_|^ | $/;

/** Characters that XML 1.0 does not allow, and the carriage return, which XML parsers convert to a line feed. */
const ILLEGAL = /[\0-\x08\x0B-\x1F\uFFFE\uFFFF]/g;
/** A text that looks like an escaped character. */
const LOOKS_ESCAPED = /_(?=x[\dA-Fa-f]{4}_)/g;
const MARKUP = /[&<>"]/g;
/** Whitespace that XML readers may drop as layout. */
const SPACE = /^ | $|[\t\n]/;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const ELEMENT = Buffer.from('<t>');
const ELEMENT_END = Buffer.from('</t>');

/** Writes a text as the element `<t>` of a workbook, truncated to the maximum length of a cell. */
export function writeTextElement(buffer: ByteBuffer, text: string): ByteBuffer {
  const cut = text.length <= MAX_CELL_LENGTH ? text : text.slice(0, MAX_CELL_LENGTH).replace(HIGH_SURROGATE_AT_END, '');
  if (!SPECIAL.test(cut)) return buffer.bytes(ELEMENT).text(cut).bytes(ELEMENT_END);
  return buffer.text(`<t${SPACE.test(cut) ? ' xml:space="preserve"' : ''}>${escapeXml(cut)}</t>`);
}

/**
 * Escapes a text for XML. Characters that XML does not allow are written as `_xHHHH_`; in texts that already look like this, the first
 * underscore is written as `_x005F_` (ECMA-376 part 1, §22.9.2.19, ST_Xstring).
 */
export function escapeXml(text: string): string {
  return text
    .replace(LOOKS_ESCAPED, '_x005F_')
    .replace(ILLEGAL, (character) => `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`)
    .replace(MARKUP, (character) => ENTITIES[character] ?? character);
}
