/** Encodes the characters of a file as bytes. */
export interface TextEncoding {
  readonly name: 'utf-8' | 'windows-1252';
  /** Whether every character of a text exists in the encoding. */
  canEncode(text: string): boolean;
  /** @throws RangeError for a text with other characters; nothing is replaced */
  encode(text: string): Uint8Array;
}

/** UTF-8, which has all characters. */
export const utf8: TextEncoding = {
  name: 'utf-8',
  canEncode: () => true,
  encode: (text) => Buffer.from(text, 'utf8'),
};
