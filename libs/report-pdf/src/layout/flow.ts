import type { Block, Mark, Page } from './drawing.js';

/** A heading with what belongs to it. */
export interface Section {
  /** On a following page it is marked as continued. */
  heading(continued: boolean): Block;
  /** Headings of columns, repeated on every page. */
  columns?(continued: boolean): Block;
  readonly blocks: readonly Block[];
}

/** Where blocks may be on a page, in points from its top. */
export interface Frame {
  readonly left: number;
  /** On the first page, below the header. */
  readonly firstTop: number;
  readonly top: number;
  readonly bottom: number;
  /** Between two sections. */
  readonly gap: number;
}

/**
 * Fills pages. A heading never ends a page: its columns and the first block, or the start of one that can be divided, come with it. A block
 * that does not fit is divided or moved to the next page, where its heading and columns are repeated.
 */
export function flow(sections: readonly Section[], frame: Frame): readonly Page[] {
  const pages = new Pages(frame);
  for (const section of sections) {
    pages.start(section);
    const waiting = [...section.blocks];
    for (let block = waiting.shift(); block !== undefined; block = waiting.shift()) {
      const rest = pages.place(block, waiting[0]);
      if (rest === undefined) continue;
      waiting.unshift(rest);
      pages.turn(section);
    }
  }
  return pages.done;
}

class Pages {
  readonly done: Mark[][] = [[]];
  #y: number;
  /** Nothing but an opening is on the page: no other page has more room. */
  #fresh = true;

  constructor(private readonly frame: Frame) {
    this.#y = frame.firstTop;
  }

  start(section: Section): void {
    const [first, second] = section.blocks;
    const opening = openingOf(section, false);
    const needed = heightOf(opening) + (first === undefined ? 0 : (first.division?.least ?? withNext(first, second)));
    if (this.#y + this.frame.gap + needed > this.frame.bottom && !this.#fresh) this.#addPage();
    else if (!this.#fresh) this.#y += this.frame.gap;
    for (const block of opening) this.#draw(block);
  }

  /** Continues on the next page. */
  turn(section: Section): void {
    this.#addPage();
    for (const block of openingOf(section, true)) this.#draw(block);
    this.#fresh = true;
  }

  /** Draws what fits; what does not is returned. */
  place(block: Block, next: Block | undefined): Block | undefined {
    const room = this.frame.bottom - this.#y;
    if (withNext(block, next) <= room || (this.#fresh && block.division === undefined)) {
      this.#draw(block);
      return undefined;
    }
    if (block.division === undefined || block.height <= room || room < block.division.least) return block;
    const [start, rest] = block.division.at(room);
    this.#draw(start);
    return rest;
  }

  #addPage(): void {
    this.done.push([]);
    this.#y = this.frame.top;
  }

  #draw(block: Block): void {
    this.done.at(-1)?.push(...block.draw(this.frame.left, this.#y));
    this.#y += block.height;
    this.#fresh = false;
  }
}

function openingOf(section: Section, continued: boolean): readonly Block[] {
  const heading = section.heading(continued);
  return section.columns === undefined ? [heading] : [heading, section.columns(continued)];
}

function heightOf(blocks: readonly Block[]): number {
  return blocks.reduce((sum, { height }) => sum + height, 0);
}

function withNext(block: Block, next: Block | undefined): number {
  return block.height + (next?.withPrevious === true ? next.height : 0);
}
