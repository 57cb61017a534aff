import { DASH, germanTemperature } from '../format.js';
import type { WeatherEntry } from '../report.js';
import type { Block, Mark, Tag } from './drawing.js';
import { gridRows } from './grid.js';
import { drawLines } from './paper.js';
import type { SectionContext } from './section.js';
import { STYLE } from './theme.js';

const GRID = { columns: 4, columnGap: 12, rowGap: 6 };
const ICON = 30;
const TEXT_LEFT = 40;

/** Returns rows of weather readings with time, icon, description and temperature. */
export function weatherRows(entries: readonly WeatherEntry[], { sect, setter, pause }: SectionContext): Promise<readonly Block[]> {
  return gridRows(entries, { ...GRID, pause }, (entry, width) => {
    const tag: Tag = { type: 'P', parent: sect };
    const lines = [
      { lines: [`${entry.time}\u00a0Uhr`], style: STYLE.small },
      setter.lines(entry.condition?.word ?? DASH, width - TEXT_LEFT, STYLE.strong, 1),
      { lines: entry.temperature === null ? [] : [germanTemperature(entry.temperature)], style: STYLE.body },
    ];
    return {
      height: 42,
      draw(x, y): readonly Mark[] {
        const texts = stacked(lines, (line, top) => drawLines(line, { x: x + TEXT_LEFT, y: y + 3 + top }, tag));
        return entry.condition === null ? texts : [{ kind: 'icon', icon: entry.condition.icon, size: ICON, x, y: y + 6 }, ...texts];
      },
    };
  });
}

function stacked<Item extends { lines: readonly string[]; style: { leading: number } }>(
  items: readonly Item[],
  draw: (item: Item, top: number) => readonly Mark[],
): readonly Mark[] {
  let top = 0;
  return items.flatMap((item) => {
    const marks = draw(item, top);
    top += item.lines.length * item.style.leading;
    return marks;
  });
}
