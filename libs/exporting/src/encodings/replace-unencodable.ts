import type { TextEncoding } from './text-encoding.js';

/** Replaces each character that the encoding lacks by a question mark; letters with combining marks are composed first. */
export function replaceUnencodable(text: string, encoding: TextEncoding): string {
  if (encoding.canEncode(text)) return text;
  return Array.from(text.normalize('NFC'), (character) => (encoding.canEncode(character) ? character : '?')).join('');
}
