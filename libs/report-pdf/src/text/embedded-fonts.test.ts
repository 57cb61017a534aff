import { describe, expect, it } from '@jest/globals';
import type { Font } from 'fontkit';
import { embeddedFonts } from './embedded-fonts.js';

const codePointsOf = (font: Font, text: string): number[][] => font.layout(text).glyphs.map(({ codePoints }) => codePoints);

/** PDF readers copy these letters when text is copied. */
describe('the letters of a glyph, in fonts that all files of a process share', () => {
  it('are known in the second file even if the first one had the glyph only as a component', () => {
    const font = embeddedFonts.bold();
    const first = font.createSubset();
    for (const glyph of font.layout('ŽÖ').glyphs) first.includeGlyph(glyph);
    first.encode();
    expect(codePointsOf(font, 'ZO')).toEqual([[0x5a], [0x4f]]);
  });

  it('are the same whichever of two look-alike characters came first', () => {
    const font = embeddedFonts.regular();
    // A soft hyphen.
    font.layout('\u{ad}');
    expect(codePointsOf(font, 'a-b')).toEqual([[0x61], [0x2d], [0x62]]);
  });
});
