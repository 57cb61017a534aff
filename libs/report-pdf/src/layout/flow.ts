import type { Pause } from '../pause.js';
import { isPicture, type Block, type Mark, type Page, type PictureMark } from './drawing.js';

/** A heading with its content. */
export interface Section {
  /** Creates the heading; on following pages it is marked as continued. */
  heading(continued: boolean): Block;
  /** Creates the column headings, which are repeated on every page. */
  columns?(continued: boolean): Block;
  readonly blocks: readonly Block[];
  /** Whether it stays on the page of the last block before it, as a signature stays with the signed text. */
  readonly withPrevious?: boolean;
}

/** The area of a page in which blocks are placed, in points from its top. */
export interface Frame {
  readonly left: number;
  /** Top of the area on the first page, below the header. */
  readonly firstTop: number;
  readonly top: number;
  readonly bottom: number;
  /** Distance between two sections. */
  readonly gap: number;
}

/**
 * Distributes sections over pages.
 *
 * - A heading is never the last thing on a page: its column headings and the first block, or the first part of a divisible block, stay with
 *   it.
 * - A block that does not fit is divided or moved to the next page, where its heading and column headings are repeated.
 * - The last block of a section is moved as well if the next section has to stay with it.
 */
export async function flow(sections: readonly Section[], frame: Frame, pause: Pause): Promise<readonly Page[]> {
  const pages = new Pages(frame);
  for (const [index, section] of sections.entries()) {
    const belonging = belongingTo(section, sections.slice(index + 1), frame);
    pages.start(section, belonging);
    const waiting = [...section.blocks];
    for (let block = waiting.shift(); block !== undefined; block = waiting.shift()) {
      await pause();
      const rest = pages.place(block, waiting[0], isEnd(waiting) ? belonging : 0);
      if (rest === undefined) continue;
      waiting.unshift(rest);
      pages.turn(section);
    }
  }
  return pages.done;
}

/** Returns the height that must stay on the same page as the end of a section, as far as one page can hold it. */
function belongingTo(section: Section, [next, ...others]: readonly Section[], frame: Frame): number {
  if (next?.withPrevious !== true) return 0;
  const end = section.blocks.slice(section.blocks.at(-1)?.withPrevious === true ? -2 : -1);
  const room = frame.bottom - frame.top - heightOf(openingOf(section, true)) - heightOf(end);
  const opening = frame.gap + heightOf(openingOf(next, false));
  const all = opening + heightOf(next.blocks) + belongingTo(next, others, frame);
  if (all <= room) return all;
  const start = opening + heightOf(next.blocks.slice(0, 1));
  return start <= room ? start : 0;
}

/** Whether only the end of a section is left: nothing, or a block that stays with the previous one. */
function isEnd(waiting: readonly Block[]): boolean {
  return waiting.length === 0 || (waiting.length === 1 && waiting[0]?.withPrevious === true);
}

/** A block and its top position. */
interface Placement {
  readonly block: Block;
  readonly y: number;
}

class FilledPage implements Page {
  readonly placed: Placement[] = [];

  constructor(private readonly left: number) {}

  marks(): readonly Mark[] {
    return this.placed.flatMap(({ block, y }) => block.draw(this.left, y));
  }

  pictures(): readonly PictureMark[] {
    const showing = this.placed.filter(({ block }) => block.hasPictures === true);
    return showing.flatMap(({ block, y }) => block.draw(this.left, y)).filter(isPicture);
  }
}

class Pages {
  readonly done: FilledPage[];
  #y: number;
  /** Whether the page only contains the beginning of a section, so that no other page has more room. */
  #fresh = true;

  constructor(private readonly frame: Frame) {
    this.done = [new FilledPage(frame.left)];
    this.#y = frame.firstTop;
  }

  /** Begins a section; `belonging` is the height that must follow its last block on the same page. */
  start(section: Section, belonging: number): void {
    const [first, ...others] = section.blocks;
    const opening = openingOf(section, false);
    const whole = first === undefined ? 0 : withNext(first, others[0]) + (isEnd(others) ? belonging : 0);
    const needed = heightOf(opening) + (first?.division?.least ?? whole);
    if (this.#y + this.frame.gap + needed > this.frame.bottom && !this.#fresh) this.#addPage();
    else if (!this.#fresh) this.#y += this.frame.gap;
    for (const block of opening) this.#draw(block);
  }

  /** Continues a section on the next page. */
  turn(section: Section): void {
    this.#addPage();
    for (const block of openingOf(section, true)) this.#draw(block);
    this.#fresh = true;
  }

  /** Places as much of a block as fits together with what must stay with it; returns the rest. */
  place(block: Block, next: Block | undefined, belonging: number): Block | undefined {
    const room = this.frame.bottom - this.#y;
    if (withNext(block, next) + belonging <= room) return this.#drawAll(block);
    const { division } = block;
    if (division === undefined) return this.#fresh ? this.#drawAll(block) : block;
    // If the block itself fits, but not what must stay with it, its last part is moved as well.
    const most = block.height <= room ? block.height - division.least : room;
    if (most < division.least) return this.#fresh ? this.#drawAll(block) : block;
    const [start, rest] = division.at(most);
    this.#draw(start);
    return rest;
  }

  #drawAll(block: Block): undefined {
    this.#draw(block);
    return undefined;
  }

  #addPage(): void {
    this.done.push(new FilledPage(this.frame.left));
    this.#y = this.frame.top;
  }

  #draw(block: Block): void {
    this.done.at(-1)?.placed.push({ block, y: this.#y });
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
