import { describe, expect, it } from '@jest/globals';
import { windows1252 } from './windows-1252.js';

/** The five bytes that windows-1252 leaves undefined; browsers read them as control characters. */
const UNDEFINED = [0x81, 0x8d, 0x8f, 0x90, 0x9d];

describe('windows1252', () => {
  it('writes each character as the byte from which browsers decode it', () => {
    const decoder = new TextDecoder('windows-1252');
    for (let byte = 0; byte < 256; byte += 1) {
      const character = decoder.decode(Uint8Array.of(byte));
      const isDefined = !UNDEFINED.includes(byte);
      expect(windows1252.canEncode(character)).toBe(isDefined);
      if (isDefined) expect([...windows1252.encode(`ä${character}`)]).toEqual([0xe4, byte]);
    }
  });

  it.each(['Łukasz', 'Yıldız', 'Şahin', '😀', '\uFFFD', 'u\u0308', '\0Ł'])('refuses %j instead of replacing it', (text) => {
    expect(windows1252.canEncode(text)).toBe(false);
    expect(() => windows1252.encode(text)).toThrow(RangeError);
  });
});
