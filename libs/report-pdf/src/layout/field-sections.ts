import { sumOfDecimals } from '@stechuhr/worktime';
import { DASH, germanMoment, germanNumber, orDash } from '../format.js';
import type { ActivityEntry, ReportField, SubcontractorEntry, TextEntry, WorkingTimeEntry } from '../report.js';
import type { Tag } from './drawing.js';
import type { Section } from './flow.js';
import { photoRows } from './photos.js';
import { sectionOf, tableOf, type Cell, type SectionContext } from './section.js';
import { signatureRows } from './signatures.js';
import { STYLE } from './theme.js';
import { weatherRows } from './weather.js';

interface SectionTerms extends Pick<SectionContext, 'setter' | 'pause'> {
  /** The document that contains the section. */
  readonly document: Tag;
}

/** Creates the section of a field; with a dash if there are no entries. */
export async function fieldSection(field: ReportField, { setter, pause, document }: SectionTerms): Promise<Section> {
  const context: SectionContext = { setter, pause, sect: { type: 'Sect', parent: document } };
  return sectionOf(field, context, field.entries.length === 0 ? nothing(context) : await body(field, context));
}

function nothing({ sect }: SectionContext): Omit<Section, 'heading'> {
  const tag: Tag = { type: 'P', parent: sect };
  const text = { kind: 'text' as const, text: DASH, style: STYLE.quiet, tag };
  return { blocks: [{ height: STYLE.quiet.leading, draw: (x, y) => [{ ...text, x, y: y + 9 }] }] };
}

async function body(field: ReportField, context: SectionContext): Promise<Omit<Section, 'heading'>> {
  switch (field.type) {
    case 'weather':
      return { blocks: await weatherRows(field.entries, context) };
    case 'employee-working-times':
      return workingTimes(field.entries, context);
    case 'subcontractors':
      return subcontractors(field.entries, context);
    case 'activities':
      return activities(field.entries, context);
    case 'string':
      return texts(field.entries, context);
    case 'image':
      return { blocks: await photoRows(field.entries, context) };
    case 'signature':
      return { blocks: await signatureRows(field.entries, context), withPrevious: true };
  }
}

function workingTimes(entries: readonly WorkingTimeEntry[], context: SectionContext): Promise<Omit<Section, 'heading'>> {
  const columns = [
    { title: 'Name', share: 0.45 },
    { title: 'Funktion', share: 0.39 },
    { title: 'Stunden', share: 0.16, align: 'right' as const },
  ];
  const rows = entries.map(({ name, position, hours }): Cell[] => [
    [orDash(name), STYLE.body],
    [orDash(position), STYLE.body],
    [germanNumber(hours, 2), STYLE.body],
  ]);
  const total = sumOfDecimals(entries.map(({ hours }) => hours));
  const sum: Cell[] = [
    [`Summe (${entries.length.toString()} Personen)`, STYLE.strong],
    ['', STYLE.strong],
    [germanNumber(total, 2), STYLE.strong],
  ];
  return tableOf(columns, rows, context, entries.length > 1 ? sum : undefined);
}

function subcontractors(entries: readonly SubcontractorEntry[], context: SectionContext): Promise<Omit<Section, 'heading'>> {
  const columns = [
    { title: 'Firma', share: 0.32 },
    { title: 'Personen', share: 0.13, align: 'right' as const },
    { title: 'Stunden', share: 0.15, align: 'right' as const },
    { title: 'Bemerkung', share: 0.4 },
  ];
  const rows = entries.map(({ name, employees, hours, comment }): Cell[] => [
    [orDash(name), STYLE.body],
    [employees.toString(), STYLE.body],
    [hours === null ? DASH : germanNumber(hours, 2), STYLE.body],
    [orDash(comment), STYLE.body],
  ]);
  return tableOf(columns, rows, context);
}

/** More people of one activity continue in further rows, since a row is typeset in one piece. */
const PEOPLE_A_ROW = 50;

function activities(entries: readonly ActivityEntry[], context: SectionContext): Promise<Omit<Section, 'heading'>> {
  const columns = [
    { title: 'Tätigkeit', share: 0.64 },
    { title: 'Name', share: 0.36 },
  ];
  // Lists, since two people may have the same name.
  const people = new Map<string, string[]>();
  for (const { text, person } of entries) {
    const names = people.get(text.trim()) ?? [];
    if (person !== null) names.push(person);
    people.set(text.trim(), names);
  }
  const rows = [...people].flatMap(([text, names]) =>
    namesByRow(names).map((some, row): Cell[] => [
      [row === 0 ? orDash(text) : '', STYLE.body],
      [some.join(', '), STYLE.note],
    ]),
  );
  return tableOf(columns, rows, context);
}

/** Returns the names of each row, at least one row. */
function namesByRow(names: readonly string[]): readonly (readonly string[])[] {
  const rows = Math.max(1, Math.ceil(names.length / PEOPLE_A_ROW));
  return Array.from({ length: rows }, (_, row) => names.slice(row * PEOPLE_A_ROW, (row + 1) * PEOPLE_A_ROW));
}

function texts(entries: readonly TextEntry[], context: SectionContext): Promise<Omit<Section, 'heading'>> {
  const columns = [
    { title: '', share: 0.72 },
    { title: '', share: 0.28 },
  ];
  const rows = entries.map(({ value, author, at }): Cell[] => [
    [orDash(value), STYLE.body],
    [[author, at && germanMoment(at)].filter(Boolean).join('\n'), STYLE.note],
  ]);
  return tableOf(columns, rows, context);
}
