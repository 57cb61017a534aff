/** Characters that a terminal interprets or that reorder text: control characters, line ends and direction marks. */
const UNSEEN = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;
/** The same, except for line ends, tabs and the colours of `Paint`. */
const UNSEEN_IN_LINES = /\u001b\[(?:3[1-39]|90)m|[\n\t]|[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * Makes text of others safe to print on one line of a terminal. Names come from API clients and from files; with control characters they could move
 * the cursor, hide a row or add one.
 */
export function printable(text: string): string {
  return text.replace(UNSEEN, escaped);
}

/** As {@link printable}, for the whole output of a command: its lines and colours are kept. */
export function printableLines(text: string): string {
  return text.replace(UNSEEN_IN_LINES, (found) => (found.length > 1 || found === '\n' || found === '\t' ? found : escaped(found)));
}
