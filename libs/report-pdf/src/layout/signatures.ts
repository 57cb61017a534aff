import { germanMoment, orDash } from '../format.js';
import type { SignatureEntry } from '../report.js';
import type { Block, Tag } from './drawing.js';
import { gridRows } from './grid.js';
import { drawLines, heightOf, NAME_LINES } from './paper.js';
import type { SectionContext } from './section.js';
import { COLOR, LINE, STYLE } from './theme.js';

const GRID = { columns: 3, columnGap: 20, rowGap: 14, hasPictures: true };
const HEIGHT = 56;
const INSET = 4;

/** Returns rows of signatures on a line, with name, role and time below. */
export function signatureRows(entries: readonly SignatureEntry[], { sect, setter, pause }: SectionContext): Promise<readonly Block[]> {
  return gridRows(entries, { ...GRID, pause }, ({ image, name, role, at }, width) => {
    const label = setter.lines(orDash(name), width, STYLE.strong, NAME_LINES);
    const capacity = role === null ? { lines: [], style: STYLE.quiet } : setter.lines(role, width, STYLE.quiet, NAME_LINES);
    const moment = { lines: at === null ? [] : [germanMoment(at)], style: STYLE.quiet };
    const figure: Tag = { type: 'Figure', parent: sect, alt: ['Unterschrift', name, role && `(${role})`].filter(Boolean).join(' ') };
    const caption: Tag = { type: 'Caption', parent: sect };
    const top = HEIGHT + INSET;
    return {
      height: top + heightOf(label) + heightOf(capacity) + heightOf(moment),
      draw: (x, y) => [
        { kind: 'signature', image, x: x + INSET, y, width: width - 2 * INSET, height: HEIGHT - INSET, tag: figure },
        { kind: 'line', x, y: y + HEIGHT, width, weight: LINE.rule, color: COLOR.ink },
        ...drawLines(label, { x, y: y + top }, caption),
        ...drawLines(capacity, { x, y: y + top + heightOf(label) }, caption),
        ...drawLines(moment, { x, y: y + top + heightOf(label) + heightOf(capacity) }, caption),
      ],
    };
  });
}
