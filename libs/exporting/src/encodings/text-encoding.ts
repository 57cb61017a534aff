/** The character encoding of a file. */
export interface TextEncoding {
  readonly name: 'utf-8' | 'windows-1252';
  /** Whether every character of a text exists in the encoding. */
  canEncode(text: string): boolean;
  /** Encodes a text; never replaces characters. @throws RangeError if the encoding lacks a character */
  encode(text: string): Uint8Array;
}

/** UTF-8, which has all characters. */
export const utf8: TextEncoding = {
  name: 'utf-8',
  canEncode: () => true,
  encode: (text) => Buffer.from(text, 'utf8'),
};
