import type { Pause } from '../pause.js';
import type { Report } from '../report.js';
import type { Page, Tag } from './drawing.js';
import { fieldSection } from './field-sections.js';
import { flow, type Section } from './flow.js';
import { letterhead, runningLines } from './letterhead.js';
import type { Typesetter } from './paper.js';
import { PAGE } from './theme.js';

/** Distance between the line at the top of a following page and its text. */
const TOP_GAP = 16;
const SECTION_GAP = 20;

/**
 * Lays out the pages of a report. The frames of photos and signatures have fixed sizes, so all positions and the number of pages are known
 * before the first picture is read.
 */
export async function layoutReport(report: Report, setter: Typesetter, pause: Pause): Promise<readonly Page[]> {
  const document: Tag = { type: 'Document', parent: undefined };
  const head = letterhead(report, setter, document);
  const sections: Section[] = [];
  for (const field of report.fields) sections.push(await fieldSection(field, { setter, pause, document }));
  const frame = {
    left: PAGE.left,
    firstTop: PAGE.top + head.height,
    top: PAGE.top + TOP_GAP,
    bottom: PAGE.height - PAGE.bottom,
    gap: SECTION_GAP,
  };
  const pages = await flow(sections, frame, pause);
  return pages.map((page, index): Page => ({
    marks: () => [
      ...runningLines(report, setter, { number: index + 1, count: pages.length }),
      ...(index === 0 ? head.draw(PAGE.left, PAGE.top) : []),
      ...page.marks(),
    ],
    pictures: () => page.pictures(),
  }));
}
