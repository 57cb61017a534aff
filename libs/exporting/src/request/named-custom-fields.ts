import { customFieldOf } from '../columns/employee-columns.js';
import { filteredField } from '../filters/registry.js';
import { parseChoice } from '../grammar.js';
import { Problems } from '../problems.js';
import { readParts } from './multi-config.js';
import { Parameters } from './parameters.js';
import type { SectionInput } from './section-input.js';

/**
 * Returns the names of the custom fields that a request shows or filters by. It is used before the request is validated, because the
 * validation needs the employees; so it may return fields of elements that turn out to be invalid.
 */
export function namedCustomFields(exporter: string, texts: Readonly<Record<string, string>>): ReadonlySet<string> {
  const parameters = new Parameters(texts, new Problems());
  const parts = exporter === 'multi' ? readParts(parameters.text('config'), parameters.problems, (own) => own) : [];
  const whole = { columns: parameters.list('columns'), filter: parameters.list('filter') };
  return new Set([whole, ...parts].flatMap(fieldsOf));
}

function fieldsOf({ columns, filter }: Partial<Pick<SectionInput, 'columns' | 'filter'>>): readonly string[] {
  const shown = (columns ?? []).map((column) => customFieldOf(parseChoice(column, () => undefined).name));
  return [...shown, ...(filter ?? []).map(filteredField)].filter((field) => field !== undefined);
}
