/** How the characters of a file become bytes. */
export interface TextEncoding {
  readonly name: 'utf-8' | 'windows-1252';
  /** Whether every character of a text exists in the encoding. */
  canEncode(text: string): boolean;
  /** @throws RangeError when the text has other characters; nothing is ever replaced */
  encode(text: string): Uint8Array;
}

/** UTF-8, which has every character. */
export const utf8: TextEncoding = {
  name: 'utf-8',
  canEncode: () => true,
  encode: (text) => Buffer.from(text, 'utf8'),
};
