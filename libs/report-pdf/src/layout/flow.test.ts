import { describe, expect, it } from '@jest/globals';
import type { Block, Mark } from './drawing.js';
import { flow, type Section } from './flow.js';
import { STYLE } from './theme.js';

const FRAME = { left: 0, firstTop: 40, top: 10, bottom: 110, gap: 5 };

const mark = (text: string, x: number, y: number): Mark => ({ kind: 'text', text, x, y, style: STYLE.body });
const block = (name: string, height: number, rest: Partial<Block> = {}): Block => ({ height, draw: (x, y) => [mark(name, x, y)], ...rest });

/** A divisible block of lines with height 10, of which at least two stay together. */
function divisible(name: string, lines: number): Block {
  return block(`${name}×${lines.toString()}`, lines * 10, {
    division: {
      least: 20,
      at(height) {
        const first = Math.min(Math.floor(height / 10), lines - 2);
        return [block(`${name}×${first.toString()}`, first * 10), divisible(name, lines - first)];
      },
    },
  });
}

function section(name: string, blocks: readonly Block[], columns = false): Section {
  return {
    heading: (continued) => block(continued ? `${name} …` : name, 10),
    ...(columns && { columns: () => block('columns', 10) }),
    blocks,
  };
}

/** The blocks on each page and their positions. */
async function named(sections: readonly Section[]): Promise<string[][]> {
  const pages = await flow(sections, FRAME, () => undefined);
  return pages.map((page) => page.marks().map((each) => (each.kind === 'text' ? `${each.text}@${each.y.toString()}` : each.kind)));
}

describe('flow', () => {
  it('places sections below each other with a gap between', async () => {
    expect(await named([section('A', [block('a', 10)]), section('B', [block('b', 10)])])).toEqual([['A@40', 'a@50', 'B@65', 'b@75']]);
  });

  it('repeats heading and columns on the next page', async () => {
    const rows = ['r1', 'r2', 'r3', 'r4', 'r5', 'r6'].map((name) => block(name, 15));
    expect(await named([section('A', rows, true)])).toEqual([
      ['A@40', 'columns@50', 'r1@60', 'r2@75', 'r3@90'],
      ['A …@10', 'columns@20', 'r4@30', 'r5@45', 'r6@60'],
    ]);
  });

  it('keeps a heading together with its content', async () => {
    const pages = await named([section('A', [block('a', 35)]), section('B', [block('b', 20)])]);
    expect(pages).toEqual([
      ['A@40', 'a@50'],
      ['B@10', 'b@20'],
    ]);
  });

  it('keeps a sum together with the previous row', async () => {
    const rows = [block('r1', 30), block('r2', 20), block('sum', 20, { withPrevious: true })];
    expect(await named([section('A', rows)])).toEqual([
      ['A@40', 'r1@50'],
      ['A …@10', 'r2@20', 'sum@40'],
    ]);
  });

  it('divides divisible blocks over as many pages as needed', async () => {
    expect(await named([section('A', [divisible('d', 16)])])).toEqual([
      ['A@40', 'd×6@50'],
      ['A …@10', 'd×8@20'],
      ['A …@10', 'd×2@20'],
    ]);
  });

  it('starts a divisible block only if its smallest part fits', async () => {
    const pages = await named([section('A', [block('a', 35)]), section('B', [divisible('d', 8)])]);
    expect(pages).toEqual([
      ['A@40', 'a@50'],
      ['B@10', 'd×8@20'],
    ]);
  });

  describe('with a section that stays with the previous one', () => {
    const signed = (heights: readonly number[]): Section => ({
      ...section(
        'S',
        heights.map((height, index) => block(`s${(index + 1).toString()}`, height)),
      ),
      withPrevious: true,
    });

    it.each<[string, readonly Section[], readonly (readonly string[])[]]>([
      ['leaves it on the page if it fits', [section('A', [block('a', 20)]), signed([15])], [['A@40', 'a@50', 'S@75', 's1@85']]],
      [
        'moves the last block to the next page with it',
        [section('A', [block('a', 20), block('b', 20)]), signed([15])],
        [
          ['A@40', 'a@50'],
          ['A …@10', 'b@20', 'S@45', 's1@55'],
        ],
      ],
      [
        'moves a row and its sum to the next page with it',
        [section('A', [block('a', 10), block('b', 10), block('sum', 10, { withPrevious: true })]), signed([25])],
        [
          ['A@40', 'a@50'],
          ['A …@10', 'b@20', 'sum@30', 'S@45', 's1@55'],
        ],
      ],
      [
        'moves a section of one block entirely',
        [section('A', [block('a', 10)]), section('B', [block('b', 10)]), signed([25])],
        [
          ['A@40', 'a@50'],
          ['B@10', 'b@20', 'S@35', 's1@45'],
        ],
      ],
      [
        'moves the end of a text to the next page with it',
        [section('A', [divisible('d', 5)]), signed([15])],
        [
          ['A@40', 'd×3@50'],
          ['A …@10', 'd×2@20', 'S@45', 's1@55'],
        ],
      ],
      [
        'keeps all of its rows together on the next page',
        [section('A', [block('a', 10), block('b', 10)]), signed([15, 15, 15])],
        [
          ['A@40', 'a@50'],
          ['A …@10', 'b@20', 'S@35', 's1@45', 's2@60', 's3@75'],
        ],
      ],
      [
        'keeps its first row with the previous section if its rows need more than a page',
        [section('A', [block('a', 10), block('b', 10)]), signed([40, 40, 40])],
        [
          ['A@40', 'a@50'],
          ['A …@10', 'b@20', 'S@35', 's1@45'],
          ['S …@10', 's2@20', 's3@60'],
        ],
      ],
    ])('%s', async (_, sections, expected) => {
      expect(await named(sections)).toEqual(expected);
    });
  });

  it('draws a block that is higher than any page', async () => {
    expect(await named([section('A', [block('huge', 500), block('b', 10)])])).toEqual([
      ['A@40'],
      ['A …@10', 'huge@20'],
      ['A …@10', 'b@20'],
    ]);
  });
});
