import { CUSTOM, customFieldOf } from '../columns/employee-columns.js';
import type { ExportDirectory } from '../directory.js';
import { decodeOnce } from '../grammar.js';
import { isTooLong, notAChoice, quoted, type Report } from '../problems.js';
import type { ReferenceEntry } from '../reference.js';
import type { ChosenFilter, FilterKey, RecordFilter, StaffFilter } from './filter.js';
import { recordFilters } from './record-filters.js';
import { customFilter, staffFilters } from './staff-filters.js';

const keys: ReadonlyMap<string, FilterKey> = new Map([...staffFilters, ...recordFilters].map((key) => [key.id, key]));

/** All filters, for the reference page. */
export const filterReference: readonly ReferenceEntry[] = [
  ...keys.values(),
  {
    id: `${CUSTOM}<field>`,
    title: 'Eigenes Feld',
    description: 'Ein eigenes Feld der Person: ganzer Wert, Groß- und Kleinschreibung egal.',
    example: 'filter=custom.position=Polier',
  },
];

/** Compiles the filters of a request (`key=value` or `key!=value`; a comma means "or"). An employee has to match all of them. */
export function chooseFilters(texts: readonly string[], directory: ExportDirectory, report: Report): readonly ChosenFilter[] {
  if (
    isTooLong(
      texts.flatMap((text) => text.split(',')),
      report,
    )
  )
    return [];
  return texts.flatMap((text) => chooseFilter(text, directory, report) ?? []);
}

function chooseFilter(text: string, directory: ExportDirectory, report: Report): ChosenFilter | undefined {
  const split = splitFilter(text);
  if (split === undefined) return void report(`${quoted(text)} does not have the form key=value.`);
  const { id, negated, values } = split;
  const key = findKey(id);
  if (key === undefined) return void report(notAChoice(id, keys.keys()));
  const filter = key.compile(valuesOf(values), directory, report);
  return negated ? { ...opposite(filter), negated } : { ...filter, negated };
}

/** Returns the custom field by which a filter selects; undefined if it selects by something else. */
export function filteredField(text: string): string | undefined {
  const split = splitFilter(text);
  return split && customFieldOf(split.id);
}

/** Splits `key=value` or `key!=value`; undefined for a text of another form. */
function splitFilter(text: string): { readonly id: string; readonly negated: boolean; readonly values: string } | undefined {
  const equals = text.indexOf('=');
  if (equals < 1) return undefined;
  const negated = text[equals - 1] === '!';
  return { id: text.slice(0, negated ? equals - 1 : equals), negated, values: text.slice(equals + 1) };
}

function findKey(id: string): FilterKey | undefined {
  if (!id.startsWith(CUSTOM)) return keys.get(id);
  const field = customFieldOf(id);
  return field === undefined ? undefined : customFilter(id, field);
}

/**
 * Decodes the values, which may be percent-encoded a second time so that they can contain `|` and `,`; a value with an invalid escape is
 * used unchanged.
 */
function valuesOf(text: string): readonly string[] {
  const values = text.split(',').filter((value) => value !== '');
  return (values.length === 0 ? [''] : values).map((value) => decodeOnce(value) ?? value);
}

function opposite(filter: StaffFilter | RecordFilter): StaffFilter | RecordFilter {
  if (filter.scope === 'staff') {
    const { matches } = filter;
    return { scope: 'staff', matches: (staff) => !matches(staff) };
  }
  const { needs, matches } = filter;
  return { scope: 'records', needs, matches: (sheet) => !matches(sheet) };
}
