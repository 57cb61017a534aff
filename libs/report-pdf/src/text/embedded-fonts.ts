import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { create, type Font, type GlyphRun } from 'fontkit';
import { LRUCache } from 'lru-cache';

const require = createRequire(import.meta.url);
/** Words that are kept for each font, with their glyphs: reports of a firm use the same ones again and again. A word takes about 1 kB. */
const WORDS_KEPT = 4_000;
const LONGEST_KEPT = 40;

/**
 * The fonts of reports, each parsed on first use and kept: parsing one and finding its glyphs costs thirty times what setting a page does.
 * Arimo has the widths of Helvetica, and Latin, Greek and Cyrillic; Noto Emoji draws emoji in one colour.
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

/** A document asks for each of its words once; what a word looks like is the same in all of them. */
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
 * pdfkit scales what it can enumerate of a position, in place, each time that a document asks: these are scaled already, and have nothing
 * that it would find.
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
 * A glyph says which letters it stands for, and readers copy those. fontkit keeps what the first who asked for the glyph said: nothing, if that
 * was the outline of Ö, of which O is a part, and then no later file of the process would let its O be found.
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

/** Of fontkit: reads the outline of a glyph, to see which others it consists of. */
interface Outlined {
  _decode(): unknown;
}

/** Each document embeds its own choice of glyphs; their outlines are read once. */
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
