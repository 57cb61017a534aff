import { parseUuid, stockMessages } from '@stechuhr/kernel';
import type { DateRange } from '@stechuhr/worktime';
import { chooseColumns, type ChosenColumn } from '../columns/choose-columns.js';
import { DEFAULT_COLUMNS } from '../columns/registry.js';
import type { ExportDirectory } from '../directory.js';
import { encodableForm } from '../encodings/encodable-columns.js';
import { parseChoice } from '../grammar.js';
import { HEADER_MODIFIER } from '../modifiers/registry.js';
import { chooseFilters } from '../filters/registry.js';
import type { ChosenFormat } from '../formats/format.js';
import { isTooLong, notAChoice, quoted, type Report } from '../problems.js';
import { DEFAULT_TYPES, rowTypesOf } from '../row-types/registry.js';
import type { RowType } from '../row-types/row-type.js';
import type { SectionRequest } from './export-request.js';
import { readPeriod } from './period.js';

/** The fields of a section as they were sent; null if missing. */
export interface SectionInput {
  readonly title: string | null;
  readonly skip_zero_rows: boolean | null;
  /** The texts between the pipes; two if it is well-formed. */
  readonly daterange: readonly string[] | null;
  readonly types: readonly string[] | null;
  readonly columns: readonly string[] | null;
  readonly filter: readonly string[] | null;
  readonly employee_ids: readonly string[] | null;
  readonly employee_group_ids: readonly string[] | null;
}

/** The context in which a section is compiled. */
export interface SectionContext {
  readonly directory: ExportDirectory;
  /** The ids of the employees in the directory. */
  readonly staffIds: ReadonlySet<string>;
  readonly format: ChosenFormat;
  readonly isAsync: boolean;
}

/** Returns the function that reports problems of a field. */
export type ReportOf = (field: keyof SectionInput) => Report;

/** The staff and the days of a section. */
type SectionScope = Pick<SectionRequest, 'period' | 'filters' | 'employeeIds' | 'employeeGroupIds'>;

/** Validates the fields that select the staff and the days of a section. */
export function readScope(input: SectionInput, { directory, staffIds, isAsync }: SectionContext, reportOf: ReportOf): SectionScope {
  return {
    period: readPeriod(input.daterange, isAsync, reportOf('daterange')),
    filters: chooseFilters(input.filter ?? [], directory, reportOf('filter')),
    employeeIds: readIds(input.employee_ids, (id) => staffIds.has(id), reportOf('employee_ids')),
    employeeGroupIds: readIds(input.employee_group_ids, (id) => directory.departments.has(id), reportOf('employee_group_ids')),
  };
}

/** Validates and compiles a section; missing fields get their default. */
export function readSection(input: SectionInput, context: SectionContext, reportOf: ReportOf): SectionRequest {
  const { directory, format } = context;
  const scope = readScope(input, context, reportOf);
  const title = input.title === null ? null : encodableForm(input.title, format.encoding);
  if (title === undefined) reportOf('title')(`The title has characters that ${format.encoding.name} cannot encode.`);
  return {
    ...scope,
    title: title ?? null,
    isPayroll: false,
    firstRow: null,
    skipZeroRows: input.skip_zero_rows ?? true,
    types: readTypes(input.types ?? DEFAULT_TYPES, directory, reportOf('types')),
    columns: readColumns(input.columns ?? DEFAULT_COLUMNS, scope.period, format, reportOf('columns')),
  };
}

function readTypes(ids: readonly string[], { institution }: ExportDirectory, report: Report): readonly RowType[] {
  const known = rowTypesOf(institution.absenceTypes);
  const types = new Set<RowType>();
  if (isTooLong(ids, report)) return [];
  for (const id of ids) {
    const type = known.get(id);
    if (type === undefined) report(notAChoice(id, known.keys()));
    else if (types.has(type)) report(`${quoted(id)} is repeated.`);
    else types.add(type);
  }
  return [...types];
}

function readColumns(texts: readonly string[], period: DateRange, format: ChosenFormat, report: Report): readonly ChosenColumn[] {
  const { point, encoding } = format;
  const columns = chooseColumns(texts, { period, point }, report);
  if (encoding.name === 'utf-8') return columns;
  const encodable = columns.map((column) => {
    const header = encodableForm(column.header, encoding);
    if (header === undefined) report(`The header ${quoted(column.header)} has characters that ${encoding.name} cannot encode.`);
    return { ...column, header: header ?? column.header };
  });
  for (const text of textsOfModifiers(texts)) {
    if (encodableForm(text, encoding) === undefined) report(`The text ${quoted(text)} has characters that ${encoding.name} cannot encode.`);
  }
  return encodable;
}

/**
 * Returns the texts in modifiers. They are checked with the request, because a row that shows one may come late in the file, when the
 * request can no longer be rejected.
 */
function textsOfModifiers(columns: readonly string[]): readonly string[] {
  const modifiers = columns.flatMap((column) => parseChoice(column, () => undefined).options);
  return modifiers.flatMap(({ name, value }) => (name === HEADER_MODIFIER || value === null ? [] : [value]));
}

/** Returns ids in lower case; malformed, repeated and unknown ones are reported together. */
function readIds(elements: readonly string[] | null, isKnown: (id: string) => boolean, report: Report): ReadonlySet<string> | null {
  if (elements === null) return null;
  const ids = new Set<string>();
  const wrong = { malformed: false, duplicate: new Set<string>(), unknown: new Set<string>() };
  for (const element of elements) {
    const id = parseUuid(element);
    if (id === undefined) wrong.malformed = true;
    else if (ids.has(id)) wrong.duplicate.add(id);
    else if (!isKnown(id)) wrong.unknown.add(id);
    if (id !== undefined) ids.add(id);
  }
  if (wrong.malformed) report(stockMessages.uuid);
  for (const id of wrong.duplicate) report(`Duplicate id "${id}".`);
  for (const id of wrong.unknown) report(`Unknown id "${id}".`);
  return ids;
}
