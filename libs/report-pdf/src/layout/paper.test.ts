import { describe, expect, it } from '@jest/globals';
import { createTypesetter } from './paper.js';
import { STYLE } from './theme.js';

/** All characters have the same width. */
const measure = { width: (text: string) => text.length };
const WIDTH = 20;

describe('paragraphs', () => {
  it('keep their line breaks', () => {
    const { paragraphs } = createTypesetter(measure);
    expect(paragraphs('Beton\nKran\n\nEnde', WIDTH, STYLE.body).lines).toEqual(['Beton', 'Kran', '', 'Ende']);
  });

  it('lose only their line breaks if a report has too many', () => {
    const { paragraphs } = createTypesetter(measure);
    const lines = Array.from({ length: 5_000 }, (_, index) => String(index % 10));
    const counts = Array.from({ length: 12 }, () => paragraphs(lines.join('\n'), WIDTH, STYLE.body).lines.length);
    expect(counts).toEqual([...Array.from({ length: 10 }, () => 5_000), 500, 500]);
    expect(paragraphs('eins\nzwei\n\ndrei', WIDTH, STYLE.body).lines).toEqual(['eins zwei drei']);
  });
});
