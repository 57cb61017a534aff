import type { EpochDay } from '@stechuhr/worktime';
import type { ExporterName } from '../exporters.js';
import { columnReference } from '../columns/registry.js';
import { filterReference } from '../filters/registry.js';
import type { Format } from '../formats/format.js';
import { formats } from '../formats/registry.js';
import { modifierReference } from '../modifiers/registry.js';
import { fixedLayoutOf } from '../payroll/registry.js';
import type { FixedLayout } from '../payroll/fixed-layout.js';
import type { FilledBy, ReferenceEntry } from '../reference.js';
import { rowTypeReference } from '../row-types/registry.js';
import { exampleQuery } from './example-query.js';

/** The reference pages of every exporter, as named in their paths (spec: Discovery endpoints). */
export const referencePageNames = ['columns', 'types', 'modifiers', 'filters'] as const;

/** One of the reference pages. */
export type ReferencePageName = (typeof referencePageNames)[number];

/** A reference page; all texts are German. */
export interface ReferencePage {
  readonly title: string;
  /** Notes about the whole page, and about features that the exporter does not support. */
  readonly notes: readonly string[];
  readonly groups: readonly ReferenceGroup[];
}

/** Entries under one heading. */
export interface ReferenceGroup {
  readonly title: string;
  readonly entries: readonly ReferenceItem[];
}

/** An entry on the page of one exporter. */
export interface ReferenceItem {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** Percent-encoded query string of a request that uses it. */
  readonly query: string;
  /** For columns: the row types that fill it. */
  readonly filledBy?: FilledBy;
}

interface PageTexts {
  readonly title: string;
  readonly notes: readonly string[];
  readonly groups: readonly (readonly [title: string, entries: readonly ReferenceEntry[]])[];
}

/** Returns the reference page of an exporter, from the registries that validate its requests. Its examples use the previous month. */
export function referencePage(exporter: ExporterName, name: ReferencePageName, today: EpochDay): ReferencePage {
  const layout = fixedLayoutOf(exporter);
  const { title, notes, groups } = layout === undefined ? freePage(exporter, name) : fixedPage(layout, name);
  return {
    title,
    notes,
    groups: groups.map(([heading, entries]) => ({
      title: heading,
      entries: entries.map(({ id, title: name, description, filledBy, example }) => ({
        id,
        title: name,
        description,
        query: exampleQuery(exporter, example, today),
        ...(filledBy !== undefined && { filledBy }),
      })),
    })),
  };
}

const FORMATS = 'Formate und ihre Optionen';

/** Lists each option after its format, as requests write them. */
function formatEntries(known: readonly Format[]): readonly ReferenceEntry[] {
  return known.flatMap((format) => [
    { ...format, id: format.id },
    ...format.options.map((option) => ({ ...option, id: `${format.id}:${option.id}` })),
  ]);
}

const MULTI = 'Bei multi steht jede Angabe in einem Teil von config; was ein Teil nicht sagt, gilt aus der Anfrage.';

function freePage(exporter: ExporterName, name: ReferencePageName): PageTexts {
  const notes = exporter === 'multi' ? [MULTI] : [];
  switch (name) {
    case 'columns':
      return {
        title: 'Spalten',
        notes: ['Der Parameter columns nennt Spalten, durch | getrennt. Vorgabe: last-name|first-name|type|value.', ...notes],
        groups: [['Spalten', columnReference]],
      };
    case 'types':
      return {
        title: 'Zeilentypen',
        notes: ['Der Parameter types nennt Zeilentypen, durch | getrennt. Vorgabe: credit-time:hours.', ...notes],
        groups: [['Zeilentypen', rowTypeReference]],
      };
    case 'modifiers':
      return {
        title: 'Modifikatoren',
        notes: [
          'Modifikatoren stehen hinter einer Spalte und wirken von links nach rechts: spalte:modifikator>wert. Werte sind einmal mehr prozentkodiert als die Anfrage.',
          ...notes,
        ],
        groups: [
          ['Modifikatoren', modifierReference],
          [FORMATS, formatEntries(formats)],
        ],
      };
    case 'filters':
      return { title: 'Filter', notes: [FILTERS, ...notes], groups: [['Filter', filterReference]] };
  }
}

const FILTERS =
  'Der Parameter filter nennt Bedingungen key=value, durch | getrennt; alle müssen zutreffen. Ein Komma heißt oder, key!=value verneint.';

function fixedPage(layout: FixedLayout, name: ReferencePageName): PageTexts {
  switch (name) {
    case 'columns':
      return {
        title: 'Spalten',
        notes: [
          'Die Spalten stehen fest: Der Parameter columns wird nicht angenommen. Diese Spalten hat die Datei, in dieser Reihenfolge.',
        ],
        groups: [['Spalten der Datei', layout.columnReference]],
      };
    case 'types': {
      const note = layout.choosesCodes
        ? 'Der Parameter types schränkt die Datei auf Lohnarten ein, durch | getrennt. Ohne ihn stehen alle darin.'
        : 'Die Lohnarten stehen fest: Der Parameter types wird nicht angenommen. Diese Lohnarten hat die Datei, in dieser Reihenfolge.';
      return { title: 'Lohnarten', notes: [note], groups: [['Lohnarten', layout.wageCodes]] };
    }
    case 'modifiers':
      return {
        title: 'Modifikatoren',
        notes: [
          'Modifikatoren gibt es hier nicht, weil die Spalten feststehen. Was sich wählen lässt, sind das Format und seine Optionen.',
        ],
        groups: [[FORMATS, formatEntries(layout.formats)]],
      };
    case 'filters':
      return { title: 'Filter', notes: [FILTERS], groups: [['Filter', filterReference]] };
  }
}
