/** What a terminal obeys or what changes the order of letters: control characters, ends of lines and marks of direction. */
const UNSEEN = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;
/** The same without ends of lines, tabs and the colours of `Paint`. */
const UNSEEN_IN_LINES = /\u001b\[(?:3[1-39]|90)m|[\n\t]|[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * A text of others in one line at a terminal. Names come from clients of the API and from files: with control characters they would move the
 * cursor, hide a row or add one.
 */
export function printable(text: string): string {
  return text.replace(UNSEEN, escaped);
}

/** As {@link printable}, for what a command says altogether: its lines and colours stay. */
export function printableLines(text: string): string {
  return text.replace(UNSEEN_IN_LINES, (found) => (found.length > 1 || found === '\n' || found === '\t' ? found : escaped(found)));
}
