import { germanDate, germanDay, germanMoment, orDash } from '../format.js';
import type { Report, ReportStatus } from '../report.js';
import type { Block, Mark, Tag, TextMark } from './drawing.js';
import { baseline, drawLines, heightOf, NAME_LINES, type Typesetter } from './paper.js';
import { BODY_WIDTH, COLOR, LINE, PAGE, STYLE, type TextStyle } from './theme.js';

const STATUS_WORDS: Readonly<Record<ReportStatus, string>> = {
  draft: 'Entwurf',
  submitted: 'Eingereicht',
  closed: 'Abgeschlossen',
  archived: 'Archiviert',
};

/** Returns the title of the document. */
export function reportTitle({ project, date }: Report): string {
  return ['Tagesbericht', project.code || project.name, germanDate(date)].filter(Boolean).join(' ');
}

/** Returns the head of the first page: organization, title, day, status and project data. */
export function letterhead(report: Report, setter: Typesetter, document: Tag): Block {
  const half = BODY_WIDTH / 2;
  const facts = [
    ['Projekt', report.project.name],
    ['Projektnummer', report.project.code],
    ['Adresse', report.project.address],
    ['Auftraggeber', report.project.client],
  ].map(([label = '', value = '']) => ({
    label: { lines: [label], style: STYLE.label },
    value: setter.lines(orDash(value), half - 20, STYLE.fact, NAME_LINES),
  }));
  const organization = setter.lines(report.organization, BODY_WIDTH - 130, STYLE.organization, NAME_LINES);
  const titleTop = heightOf(organization) + 8;
  const dayTop = titleTop + STYLE.title.leading;
  const ruleTop = dayTop + STYLE.day.leading + 8;
  const factsTop = ruleTop + 9;
  const rowHeights = [0, 2].map(
    (row) => Math.max(...facts.slice(row, row + 2).map(({ value }) => heightOf(value))) + STYLE.label.leading + 7,
  );
  const [firstRow = 0, secondRow = 0] = rowHeights;
  const p = (): Tag => ({ type: 'P', parent: document });
  return {
    height: factsTop + firstRow + secondRow + 6,
    draw: (x, y) => [
      ...drawLines(organization, { x, y }, p()),
      ...statusPill(report.status, setter, { x: x + BODY_WIDTH, y: y - 2 }, p()),
      ...drawLines({ lines: ['Tagesbericht'], style: STYLE.title }, { x: x - 1, y: y + titleTop }, { type: 'H1', parent: document }),
      ...drawLines({ lines: [germanDay(report.date)], style: STYLE.day }, { x, y: y + dayTop }, p()),
      { kind: 'line', x, y: y + ruleTop, width: BODY_WIDTH, weight: LINE.accent, color: COLOR.accent },
      ...facts.flatMap(({ label, value }, index) => {
        const at = { x: x + (index % 2) * half, y: y + factsTop + (index < 2 ? 0 : firstRow) };
        const tag = p();
        return [...drawLines(label, at, tag), ...drawLines(value, { ...at, y: at.y + STYLE.label.leading + 1 }, tag)];
      }),
    ],
  };
}

/** Returns the status in a frame, which is filled if the report is final. */
function statusPill(status: ReportStatus, setter: Typesetter, right: { x: number; y: number }, tag: Tag): readonly Mark[] {
  const word = STATUS_WORDS[status];
  const isFinal = status === 'closed' || status === 'archived';
  const color = status === 'draft' ? COLOR.muted : COLOR.accent;
  const style: TextStyle = { ...STYLE.pill, color: isFinal ? COLOR.paper : color };
  const width = setter.width(word, style) + 20;
  const x = right.x - width;
  return [
    { kind: 'box', x, y: right.y, width, height: 18, radius: 9, stroke: color, ...(isFinal && { fill: color }) },
    { kind: 'text', x: x + width / 2, y: right.y + 2 + baseline(style), text: word, style, align: 'center', tag },
  ];
}

/** Returns the header and footer lines of a page. */
export function runningLines(report: Report, setter: Typesetter, { number, count }: { number: number; count: number }): readonly Mark[] {
  const foot = PAGE.height - PAGE.bottom + 20;
  const right = PAGE.left + BODY_WIDTH;
  const rule = { kind: 'line', x: PAGE.left, width: BODY_WIDTH, weight: LINE.hair, color: COLOR.hair } as const;
  const text = (words: string, at: Pick<TextMark, 'x' | 'y' | 'align'>): TextMark => ({
    kind: 'text',
    text: words,
    style: STYLE.small,
    ...at,
  });
  const marks: Mark[] = [
    { ...rule, y: foot },
    text(`Stand ${germanMoment(report.renderedAt)}`, { x: PAGE.left, y: foot + 13 }),
    text(`Seite ${number.toString()} von ${count.toString()}`, { x: right, y: foot + 13, align: 'right' }),
  ];
  if (number === 1) return marks;
  const day = `Tagesbericht · ${germanDate(report.date)} · ${STATUS_WORDS[report.status]}`;
  const room = BODY_WIDTH - setter.width(day, STYLE.small) - 24;
  const names = setter.lines([report.organization, reportProject(report)].join(' · '), room, STYLE.small, 1);
  return [
    ...marks,
    ...drawLines(names, { x: PAGE.left, y: PAGE.top - 14 }),
    text(day, { x: right, y: PAGE.top - 14 + baseline(STYLE.small), align: 'right' }),
    { ...rule, y: PAGE.top },
  ];
}

function reportProject({ project: { code, name } }: Report): string {
  return [code, name].filter(Boolean).join(' ');
}
