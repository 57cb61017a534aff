import type { Pause } from '../pause.js';
import type { ReportField } from '../report.js';
import type { Block, Tag } from './drawing.js';
import type { Section } from './flow.js';
import { drawLines, heightOf, NAME_LINES, type Typesetter } from './paper.js';
import { columnTitles, tableRow, textWidth, type Column, type RowSpec } from './table.js';
import { BODY_WIDTH, COLOR, LINE, STYLE, type TextStyle } from './theme.js';

/** The context that sections of all types share. */
export interface SectionContext {
  readonly setter: Typesetter;
  /** The element of the section in the structure of the document. */
  readonly sect: Tag;
  /** Called after each entry. */
  readonly pause: Pause;
}

/** Creates a section with the label of its field as heading. */
export function sectionOf(
  field: ReportField,
  { setter, sect }: Pick<SectionContext, 'setter' | 'sect'>,
  body: Omit<Section, 'heading'>,
): Section {
  const tag: Tag = { type: 'H2', parent: sect };
  return { ...body, heading: (continued) => heading(field.label, setter, continued ? undefined : tag) };
}

/** Distances below the text of a heading, and below its line. */
const UNDERLINE = 3;
const AFTER = 5;

function heading(label: string, setter: Typesetter, tag: Tag | undefined): Block {
  const words = setter.lines(label, BODY_WIDTH - 100, STYLE.heading, NAME_LINES);
  const height = heightOf(words) + UNDERLINE + AFTER;
  return {
    height,
    draw: (x, y) => [
      ...drawLines(words, { x, y }, tag),
      ...(tag === undefined
        ? drawLines({ lines: ['Fortsetzung'], style: STYLE.small }, { x: x + BODY_WIDTH, y: y + 4, align: 'right' })
        : []),
      { kind: 'line', x, y: y + height - AFTER, width: BODY_WIDTH, weight: LINE.rule, color: COLOR.accent },
    ],
  };
}

/** A cell: its text and style. */
export type Cell = readonly [text: string, style: TextStyle];

/** Creates a table; without column titles it has no heading row. */
export async function tableOf(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  context: SectionContext,
  sum?: readonly Cell[],
): Promise<Omit<Section, 'heading'>> {
  const table: Tag = { type: 'Table', parent: context.sect };
  const tagsOf = (type: 'TH' | 'TD'): readonly Tag[] => {
    const row: Tag = { type: 'TR', parent: table };
    return columns.map(() => ({ type, parent: row }));
  };
  const titles = tagsOf('TH');
  const row = (cells: readonly Cell[], isSum: boolean): RowSpec => ({
    columns,
    cells: cells.map(([text, style], index) =>
      context.setter.paragraphs(text, textWidth(columns[index] ?? { title: '', share: 1 }), style),
    ),
    tags: tagsOf('TD'),
    isSum,
  });
  const blocks: Block[] = [];
  for (const cells of rows) {
    blocks.push(tableRow(row(cells, false)));
    await context.pause();
  }
  return {
    ...(columns.some(({ title }) => title !== '') && { columns: (continued: boolean) => columnTitles(columns, continued ? [] : titles) }),
    blocks: sum === undefined ? blocks : [...blocks, tableRow(row(sum, true))],
  };
}
