import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { create, type Font, type GlyphRun } from 'fontkit';
import { LRUCache } from 'lru-cache';

const require = createRequire(import.meta.url);
/**
 * Number of words whose glyphs are cached for each font, because reports of a company use the same words repeatedly. A word takes about 1
 * kB.
 */
const WORDS_KEPT = 4_000;
const LONGEST_KEPT = 40;

/**
 * The fonts of reports, each parsed on first use and cached: parsing a font and finding its glyphs takes thirty times as long as
 * typesetting a page. Arimo has the metrics of Helvetica, and supports Latin, Greek and Cyrillic; Noto Emoji has monochrome emoji.
 */
export const embeddedFonts = {
  regular: once(() => require.resolve('@expo-google-fonts/arimo/400Regular/Arimo_400Regular.ttf')),
  bold: once(() => require.resolve('@expo-google-fonts/arimo/700Bold/Arimo_700Bold.ttf')),
  emoji: once(() => require.resolve('@expo-google-fonts/noto-emoji/400Regular/NotoEmoji_400Regular.ttf')),
};

function once(file: () => string): () => Font {
  let font: Font | undefined;
  return () => (font ??= keepingOutlines(keepingWords(knowingLetters(parse(file())))));
}

function parse(path: string): Font {
  const parsed = create(readFileSync(path));
  if (!('layout' in parsed)) throw new Error(`${path} is a collection of fonts.`);
  return parsed;
}

/** Caches the layout of words for all documents; a document itself lays out each of its words once. */
function keepingWords(font: Font): Font {
  const layout = font.layout.bind(font);
  const known = new LRUCache<string, GlyphRun>({ max: WORDS_KEPT });
  font.layout = (text, ...options) => {
    if (options.some((option) => option !== undefined) || text.length > LONGEST_KEPT) return layout(text, ...options);
    let run = known.get(text);
    if (run === undefined) known.set(text, (run = scaled(layout(text), 1000 / font.unitsPerEm)));
    return run;
  };
  return font;
}

/**
 * Scales the positions of a layout and makes their properties non-enumerable: pdfkit would otherwise scale all enumerable properties in
 * place each time a document uses the cached layout.
 */
function scaled(run: GlyphRun, scale: number): GlyphRun {
  const positions = run.positions.map((position) => {
    const properties = Object.entries(position).map(([key, value]) => [key, { value: (value as number) * scale, enumerable: false }]);
    return Object.defineProperties({}, Object.fromEntries(properties)) as GlyphRun['positions'][number];
  });
  const advanceWidth = positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0);
  return Object.defineProperties(run, { positions: { value: positions }, advanceWidth: { value: advanceWidth } });
}

/**
 * Assigns its letters to each glyph, which PDF readers use to copy text. fontkit keeps the letters of the first request for a glyph. If
 * that was for the outline of Ö, which contains O, it would be none, and O could not be searched in any later file of the process.
 */
function knowingLetters(font: Font): Font {
  const getGlyph = font.getGlyph.bind(font);
  const known = new Set<number>();
  font.getGlyph = (id, letters = []) => {
    if (known.has(id)) return getGlyph(id, letters);
    known.add(id);
    const [own] = letters.length > 1 ? [] : font.stringsForGlyph(id);
    return getGlyph(id, own === undefined ? letters : Array.from(own, (letter) => letter.codePointAt(0) ?? 0));
  };
  return font;
}

/** Internal API of fontkit: reads the outline of a glyph, to find its component glyphs. */
interface Outlined {
  _decode(): unknown;
}

/** Caches the outlines of glyphs for all documents, each of which embeds its own subset. */
function keepingOutlines(font: Font): Font {
  const getGlyph = font.getGlyph.bind(font);
  const kept = new WeakSet();
  font.getGlyph = (...names) => {
    const glyph = getGlyph(...names);
    if (kept.has(glyph)) return glyph;
    kept.add(glyph);
    const outlined = glyph as unknown as Outlined;
    const read = outlined._decode.bind(glyph);
    let outline: unknown;
    outlined._decode = () => (outline ??= read());
    return glyph;
  };
  return font;
}
