import { AppError } from '@stechuhr/kernel';
import { formatLocalDate, type DateRange } from '@stechuhr/worktime';
import { chooseColumns, type ChosenColumn } from '../columns/choose-columns.js';
import { DEFAULT_COLUMNS } from '../columns/registry.js';
import type { ExportDirectory } from '../directory.js';
import { isAvailable, isExporterName, type ExporterName } from '../exporters.js';
import { chooseFilters } from '../filters/registry.js';
import type { ChosenFormat } from '../formats/format.js';
import { chooseFormat, DEFAULT_FORMAT } from '../formats/registry.js';
import { notAChoice, Problems, quoted, type Report } from '../problems.js';
import { DEFAULT_TYPES, rowTypesOf } from '../row-types/registry.js';
import type { RowType } from '../row-types/row-type.js';
import type { ExportRequest, RequestEcho } from './export-request.js';
import { Parameters } from './parameters.js';
import { readPeriod } from './period.js';
import { readPrefix } from './prefix.js';

/**
 * Validates the query parameters of an export request.
 *
 * @param exporter as in the path
 * @param parameters decoded once; of a repeated one the last; unknown ones are ignored, empty ones count as not given
 * @throws AppError `invalid` with the problems of all parameters together, `not_found` for an unknown exporter, `unimplemented` for one
 * that cannot run yet
 */
export function parseExportRequest(
  exporter: string,
  parameters: Readonly<Record<string, string>>,
  directory: ExportDirectory,
): ExportRequest {
  if (!isExporterName(exporter)) throw new AppError('not_found', 'Not found.');
  if (!isAvailable(exporter)) throw new AppError('unimplemented', `The exporter "${exporter}" is not available yet.`);
  const problems = new Problems();
  const request = readRequest(exporter, new Parameters(parameters, problems), directory);
  problems.throwIfAny();
  return request;
}

function readRequest(exporter: ExporterName, parameters: Parameters, directory: ExportDirectory): ExportRequest {
  const isAsync = parameters.flag('is_async', false);
  const responseOnly = parameters.flag('response_only', false);
  const skipZeroRows = parameters.flag('skip_zero_rows', true);
  const period = readPeriod(parameters.text('daterange'), isAsync, parameters.report('daterange'));
  const format = chooseFormat(parameters.text('export_format') ?? DEFAULT_FORMAT, responseOnly, parameters.report('export_format'));
  if (parameters.text('config') !== null) parameters.report('config')(`The exporter "${exporter}" takes no config.`);
  const staffIds = new Set(directory.staff.map(({ id }) => id));
  const request = {
    exporter,
    isAsync,
    responseOnly,
    skipZeroRows,
    period,
    format,
    types: readTypes(parameters, directory),
    columns: readColumns(parameters, period, format),
    filters: chooseFilters(parameters.list('filter') ?? [], directory, parameters.report('filter')),
    employeeIds: parameters.ids('employee_ids', (id) => staffIds.has(id)),
    employeeGroupIds: parameters.ids('employee_group_ids', (id) => directory.departments.has(id)),
    prefix: readPrefix(parameters.text('prefix'), format, parameters.report('prefix')),
  };
  return { ...request, echo: echoOf(request, parameters) };
}

function readTypes(parameters: Parameters, directory: ExportDirectory): readonly RowType[] {
  const known = rowTypesOf(directory.institution.absenceTypes);
  const report = parameters.report('types');
  const types = new Set<RowType>();
  for (const id of parameters.list('types') ?? DEFAULT_TYPES) {
    const type = known.get(id);
    if (type === undefined) report(notAChoice(id, known.keys()));
    else if (types.has(type)) report(`${quoted(id)} is repeated.`);
    else types.add(type);
  }
  return [...types];
}

function readColumns(parameters: Parameters, period: DateRange, { point, encoding }: ChosenFormat): readonly ChosenColumn[] {
  const report = parameters.report('columns');
  const columns = chooseColumns(parameters.list('columns') ?? DEFAULT_COLUMNS, { period, point }, report);
  reportUnfit(columns, encoding, report);
  return columns;
}

function reportUnfit(columns: readonly ChosenColumn[], encoding: ChosenFormat['encoding'], report: Report): void {
  for (const { header } of columns) {
    if (!encoding.fits(header)) report(`The header ${quoted(header)} has characters that ${encoding.name} lacks.`);
  }
}

function echoOf(request: Omit<ExportRequest, 'echo'>, parameters: Parameters): RequestEcho {
  return {
    is_async: request.isAsync,
    skip_zero_rows: request.skipZeroRows,
    exporter: request.exporter,
    export_format: parameters.text('export_format') ?? DEFAULT_FORMAT,
    daterange: [formatLocalDate(request.period.first), formatLocalDate(request.period.last)],
    employee_ids: request.employeeIds,
    types: parameters.list('types'),
    columns: parameters.list('columns'),
    response_only: request.responseOnly,
    prefix: parameters.text('prefix'),
    filter: parameters.text('filter'),
  };
}
