import { describe, expect, it } from '@jest/globals';
import { embeddedFonts } from './embedded-fonts.js';
import { runsOf } from './typeface.js';

describe('runsOf', () => {
  it.each([
    ['German', 'Größe „Ä“ – 12 €'],
    ['Polish', 'Łukasz'],
    ['Turkish', 'Ayşe İbrahim'],
    ['Russian', 'Кладка'],
    ['Greek', 'Ελλάδα'],
  ])('draws %s with the text font', (_, text) => {
    expect(runsOf(text, 'bold')).toEqual([{ text, font: 'bold' }]);
  });

  it('draws emoji with their own font', () => {
    expect(runsOf('Fertig 👍🏽, Gruß', 'regular')).toEqual([
      { text: 'Fertig ', font: 'regular' },
      { text: '👍🏽', font: 'emoji' },
      { text: ', Gruß', font: 'regular' },
    ]);
  });

  it('does not split joined emoji, flags and keycaps', () => {
    expect(runsOf('👷‍♂️🇩🇪1️⃣', 'bold')).toEqual([{ text: '👷‍♂️🇩🇪1️⃣', font: 'emoji' }]);
  });

  it('prefers the text font for characters that it has', () => {
    expect(runsOf('™️ ©', 'regular')).toEqual([{ text: '™ ©', font: 'regular' }]);
  });

  it.each([
    ['✓ geprüft', '✔ geprüft'],
    ['✗ fehlt, ✘ auch', '✖ fehlt, ✖ auch'],
    ['☒ nein ☐ ja', '❎ nein □ ja'],
    ['⌀ 12 und ∅ 14', 'Ø 12 und Ø 14'],
    ['Riss ⇒ Meldung ➔ Bauherr ⟶ Ende', 'Riss → Meldung → Bauherr → Ende'],
    ['Achse ∥ Wand, ∼ 3 m, ≅ 4 m', 'Achse ‖ Wand, ~ 3 m, ≈ 4 m'],
    // Lists and arrows as Word pastes them.
    ['\uf0b7 Beton \uf0fc Stahl \uf0e0 Lager', '• Beton ✔ Stahl → Lager'],
  ])('replaces the characters of "%s" by equivalents: "%s"', (text, shown) => {
    const runs = runsOf(text, 'regular');
    expect(runs.map((run) => run.text).join('')).toBe(shown);
  });

  it('shows the compatibility form or a box instead of dropping characters', () => {
    expect(runsOf('Ａ𝐁 中ł', 'regular')).toEqual([{ text: 'AB □ł', font: 'regular' }]);
  });
});

describe('the text fonts', () => {
  it('both have all characters of Windows-1252 and the box', () => {
    const [regular, bold] = [embeddedFonts.regular(), embeddedFonts.bold()];
    const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte).filter((byte) => byte >= 0x20 && byte !== 0x7f);
    const common = [...new TextDecoder('windows-1252').decode(bytes), '□'].filter((char) => !/\p{Cc}/u.test(char));
    expect(common.length).toBe(218 + 1);
    expect(common.filter((char) => !regular.hasGlyphForCodePoint(char.codePointAt(0) ?? 0))).toEqual([]);
    expect(bold.characterSet).toEqual(regular.characterSet);
  });

  it('give the same word the same glyphs in each document', () => {
    const font = embeddedFonts.regular();
    const [first, again] = [font.layout('Baustelle'), font.layout('Baustelle')];
    expect(again).toBe(first);
    // Widths of its letters, in 1/1000 of the font size: B a u s t e l l e.
    expect(first.glyphs.map(({ advanceWidth }) => Math.round((advanceWidth * 1000) / font.unitsPerEm))).toEqual([
      ...[667, 556, 556, 500, 278, 556, 222, 222, 556],
    ]);
    expect(first.advanceWidth).toBeCloseTo(4113, -1);
  });
});
