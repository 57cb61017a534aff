import { germanMoment, germanPlace } from '../format.js';
import type { PhotoEntry } from '../report.js';
import type { Block, Tag } from './drawing.js';
import { gridRows } from './grid.js';
import { drawLines, heightOf, NAME_LINES } from './paper.js';
import type { SectionContext } from './section.js';
import { STYLE } from './theme.js';

const GRID = { columns: 2, columnGap: 16, rowGap: 11, hasPictures: true };
/** Most photos have an aspect ratio of 4:3. */
const RATIO = 3 / 4;
const CAPTION_GAP = 4;
/** Distance of the frame from the line of the heading. */
const TOP = 4;

/** Returns rows of photos with number and time, and place and author below. */
export function photoRows(entries: readonly PhotoEntry[], { sect, setter, pause }: SectionContext): Promise<readonly Block[]> {
  return gridRows(entries, { ...GRID, pause }, (photo, width, index) => {
    const { takenAt, latitude, longitude, author } = photo;
    const number = `Foto ${(index + 1).toString()}`;
    const first = [number, takenAt && germanMoment(takenAt)].filter(Boolean).join(' · ');
    const second = [latitude !== null && longitude !== null && germanPlace(latitude, longitude), author].filter(Boolean).join(' · ');
    const captions = [
      setter.lines(first, width, STYLE.caption, 1),
      second === '' ? { lines: [], style: STYLE.quiet } : setter.lines(second, width, STYLE.quiet, NAME_LINES),
    ];
    const height = width * RATIO;
    const figure: Tag = { type: 'Figure', parent: sect, alt: first };
    const caption: Tag = { type: 'Caption', parent: sect };
    return {
      height: TOP + height + CAPTION_GAP + captions.reduce((sum, lines) => sum + heightOf(lines), 0),
      draw: (x, y) => [
        { kind: 'photo', photo, x, y: y + TOP, width, height, tag: figure },
        ...captions.flatMap((lines, line) =>
          drawLines(lines, { x, y: y + TOP + height + CAPTION_GAP + line * STYLE.caption.leading }, caption),
        ),
      ],
    };
  });
}
