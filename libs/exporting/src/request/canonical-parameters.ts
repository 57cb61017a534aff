import { isNestedTooDeep, parseBoolean } from '@stechuhr/kernel';
import { DEFAULT_COLUMNS } from '../columns/registry.js';
import { isExporterName } from '../exporters.js';
import { DEFAULT_FORMAT } from '../formats/registry.js';
import { parseChoice, printChoice } from '../grammar.js';
import { fixedLayoutOf } from '../payroll/registry.js';
import { Problems } from '../problems.js';
import { DEFAULT_TYPES } from '../row-types/registry.js';
import { Parameters } from './parameters.js';

type Texts = Readonly<Record<string, string>>;

/** Lists whose order is irrelevant. */
const ID_LISTS = new Set(['employee_ids', 'employee_group_ids']);

/** All query parameters that exports use (spec, Exports). */
export const parameterNames: readonly string[] = [
  'daterange',
  'export_format',
  'response_only',
  'types',
  'columns',
  'config',
  'employee_ids',
  'employee_group_ids',
  'filter',
  'skip_zero_rows',
  'prefix',
  'is_async',
];

/** Returns the parameters that exports use. Others are dropped, because clients may send anything, including secrets by mistake. */
export function meaningfulParameters(texts: Texts): Record<string, string> {
  const parameters = new Parameters(texts, new Problems());
  return Object.fromEntries(
    parameterNames.flatMap((name) => {
      const text = parameters.text(name);
      return text === null ? [] : [[name, text]];
    }),
  );
}

/** Whether the request asks for a background task. False for invalid booleans, too, which the validation reports. */
export function isAsyncRequest(texts: Texts): boolean {
  const text = new Parameters(texts, new Problems()).text('is_async');
  return text !== null && parseBoolean(text) === true;
}

/**
 * Returns the parameters of a request with defaults applied, as canonical JSON: equivalent requests give the same text
 * (docs/rules/exports.md#fingerprint). Id lists are sorted and in lower case; the order of types, columns and filters is kept; unnecessary
 * escapes are decoded; unknown parameters are left out. Never fails: invalid values are kept as they are, so that they differ from all
 * valid ones.
 */
export function canonicalParameters(exporter: string, texts: Texts): string {
  const parameters = new Parameters(texts, new Problems());
  const isFixed = isExporterName(exporter) && fixedLayoutOf(exporter) !== undefined;
  const flag = (name: string, fallback: boolean): unknown => {
    const text = parameters.text(name);
    return text === null ? fallback : (parseBoolean(text) ?? text);
  };
  return sortedJson({
    exporter,
    export_format: canonicalChoice(parameters.text('export_format') ?? DEFAULT_FORMAT),
    response_only: flag('response_only', false),
    skip_zero_rows: isFixed ? null : flag('skip_zero_rows', true),
    daterange: parameters.text('daterange'),
    types: parameters.list('types') ?? (isFixed ? null : DEFAULT_TYPES),
    columns: (parameters.list('columns') ?? (isFixed ? null : DEFAULT_COLUMNS))?.map(canonicalChoice) ?? null,
    filter: parameters.list('filter'),
    employee_ids: parameters.ids('employee_ids'),
    employee_group_ids: parameters.ids('employee_group_ids'),
    prefix: parameters.text('prefix'),
    config: exporter === 'multi' ? parsedJson(parameters.text('config')) : parameters.text('config'),
  });
}

function canonicalChoice(text: string): string {
  let problems = 0;
  const choice = parseChoice(text, () => (problems += 1));
  return problems === 0 ? printChoice(choice) : text;
}

function parsedJson(text: string | null): unknown {
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isNestedTooDeep(value) ? text : value;
  } catch {
    return text;
  }
}

/** Serialises a value with sorted object keys and id lists (by code units). */
function sortedJson(value: unknown): string {
  return JSON.stringify(value, (key, inner: unknown) => {
    if (ID_LISTS.has(key) && Array.isArray(inner)) return inner.map((id: unknown) => String(id).toLowerCase()).sort();
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
