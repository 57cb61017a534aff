import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { create, type Font } from 'fontkit';

const require = createRequire(import.meta.url);

/**
 * The fonts that can be embedded, each parsed on first use and kept: parsing one and finding its glyphs costs thirty times what setting a
 * page does. Arimo has the widths of Helvetica, and Latin, Greek and Cyrillic; Noto Emoji draws emoji in one colour.
 */
export const embeddedFonts = {
  regular: once(() => require.resolve('@expo-google-fonts/arimo/400Regular/Arimo_400Regular.ttf')),
  bold: once(() => require.resolve('@expo-google-fonts/arimo/700Bold/Arimo_700Bold.ttf')),
  emoji: once(() => require.resolve('@expo-google-fonts/noto-emoji/400Regular/NotoEmoji_400Regular.ttf')),
};

function once(file: () => string): () => Font {
  let font: Font | undefined;
  return () => (font ??= parse(file()));
}

function parse(path: string): Font {
  const parsed = create(readFileSync(path));
  if (!('layout' in parsed)) throw new Error(`${path} is a collection of fonts.`);
  return parsed;
}
