import type { TextEncoding } from './text-encoding.js';

/** The characters of 0x80 to 0x9F (WHATWG Encoding, index windows-1252); NUL where there is none. */
const UPPER = '€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ';

const bytes: ReadonlyMap<string, number> = new Map([...UPPER].map((character, index) => [character, 0x80 + index] as const));

const SINGLE_BYTE = /^[\0-\x7f\xa0-\xff]*$/;
const ENCODABLE = new RegExp(`^[\\0-\\x7f\\xa0-\\xff${UPPER.replaceAll('\0', '')}]*$`);

/** Windows-1252, as Western versions of spreadsheet programs read it; strict. */
export const windows1252: TextEncoding = {
  name: 'windows-1252',
  canEncode: (text) => ENCODABLE.test(text),
  encode: (text) => {
    if (SINGLE_BYTE.test(text)) return Buffer.from(text, 'latin1');
    if (!ENCODABLE.test(text)) throw new RangeError('The text has characters that windows-1252 cannot encode.');
    return Uint8Array.from(text, (character) => bytes.get(character) ?? character.charCodeAt(0));
  },
};
