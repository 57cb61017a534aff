import type { ByteBuffer } from './byte-buffer.js';

/** The length limit of a cell (Excel specifications and limits); a longer text would make the file unreadable. */
const MAX_CELL_LENGTH = 32_767;

const HIGH_SURROGATE_AT_END = /[\uD800-\uDBFF]$/;

/** Detects texts that need any change; most do not. */
const SPECIAL = /[&<>\0-\x1F\uFFFE\uFFFF]|_x[\dA-Fa-f]{4}_|^ | $/;

/** Characters that XML 1.0 lacks, and the carriage return, which XML readers turn into a line feed. */
const ILLEGAL = /[\0-\x08\x0B-\x1F\uFFFE\uFFFF]/g;
/** A text that looks like an escaped character. */
const LOOKS_ESCAPED = /_(?=x[\dA-Fa-f]{4}_)/g;
const MARKUP = /[&<>"]/g;
/** Whitespace that XML readers may remove. */
const SPACE = /^ | $|[\t\n]/;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const ELEMENT = Buffer.from('<t>');
const ELEMENT_END = Buffer.from('</t>');

/** Writes a text as the element `<t>` of a workbook, truncated to the limit of a cell. */
export function writeTextElement(buffer: ByteBuffer, text: string): ByteBuffer {
  const cut = text.length <= MAX_CELL_LENGTH ? text : text.slice(0, MAX_CELL_LENGTH).replace(HIGH_SURROGATE_AT_END, '');
  if (!SPECIAL.test(cut)) return buffer.bytes(ELEMENT).text(cut).bytes(ELEMENT_END);
  return buffer.text(`<t${SPACE.test(cut) ? ' xml:space="preserve"' : ''}>${escapeXml(cut)}</t>`);
}

/**
 * Escapes a text for XML. Characters that XML lacks become `_xHHHH_`, and the first underscore of a text that looks like that becomes `_x005F_`
 * (ECMA-376 part 1, §22.9.2.19, ST_Xstring).
 */
export function escapeXml(text: string): string {
  return text
    .replace(LOOKS_ESCAPED, '_x005F_')
    .replace(ILLEGAL, (character) => `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`)
    .replace(MARKUP, (character) => ENTITIES[character] ?? character);
}
