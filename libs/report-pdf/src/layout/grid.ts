import type { Pause } from '../pause.js';
import type { Block } from './drawing.js';
import { BODY_WIDTH } from './theme.js';

/** A grid over the full text width, in points. */
export interface Grid {
  readonly columns: number;
  readonly columnGap: number;
  readonly rowGap: number;
  /** Whether its cells are pictures. */
  readonly hasPictures?: boolean;
}

/** Arranges items in rows of cells of equal width. A row is as high as its highest cell, and is not divided. */
export async function gridRows<Item>(
  items: readonly Item[],
  { columns, columnGap, rowGap, hasPictures = false, pause }: Grid & { readonly pause: Pause },
  cell: (item: Item, width: number, index: number) => Block,
): Promise<readonly Block[]> {
  const width = (BODY_WIDTH - (columns - 1) * columnGap) / columns;
  const cells: Block[] = [];
  for (const [index, item] of items.entries()) {
    cells.push(cell(item, width, index));
    await pause();
  }
  const rows = Math.ceil(cells.length / columns);
  return Array.from({ length: rows }, (_, row): Block => {
    const inRow = cells.slice(row * columns, (row + 1) * columns);
    return {
      hasPictures,
      height: Math.max(...inRow.map(({ height }) => height)) + (row === rows - 1 ? 0 : rowGap),
      draw: (x, y) => inRow.flatMap((block, column) => block.draw(x + column * (width + columnGap), y)),
    };
  });
}
