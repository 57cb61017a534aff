import { describe, expect, it } from '@jest/globals';
import type { Font } from 'fontkit';
import { embeddedFonts } from './embedded-fonts.js';

const codePointsOf = (font: Font, text: string): number[][] => font.layout(text).glyphs.map(({ codePoints }) => codePoints);

/** What a reader copies out of a file is what these say. */
describe('the letters of a glyph, in fonts that all files of a process share', () => {
  it('are known in the second file even if the first used the glyph only as part of others', () => {
    const font = embeddedFonts.bold();
    const first = font.createSubset();
    for (const glyph of font.layout('ŽÖ').glyphs) first.includeGlyph(glyph);
    first.encode();
    expect(codePointsOf(font, 'ZO')).toEqual([[0x5a], [0x4f]]);
  });

  it('do not depend on which of two identical-looking characters came first', () => {
    const font = embeddedFonts.regular();
    // A soft hyphen.
    font.layout('\u{ad}');
    expect(codePointsOf(font, 'a-b')).toEqual([[0x61], [0x2d], [0x62]]);
  });
});
