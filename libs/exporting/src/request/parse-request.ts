import { AppError, parseBoolean } from '@stechuhr/kernel';
import { formatLocalDate } from '@stechuhr/worktime';
import type { ExportDirectory } from '../directory.js';
import { isExporterName, type ExporterName } from '../exporters.js';
import { chooseFormat, DEFAULT_FORMAT } from '../formats/registry.js';
import { readFixedSection } from '../payroll/read-section.js';
import { fixedLayoutOf } from '../payroll/registry.js';
import { Problems, type Report } from '../problems.js';
import type { ExportRequest, RequestEcho, SectionRequest } from './export-request.js';
import { readParts } from './multi-config.js';
import { Parameters } from './parameters.js';
import { readPrefix } from './prefix.js';
import { readSection, type ReportOf, type SectionContext, type SectionInput } from './section-input.js';
import { withTitleColumn } from './title-column.js';

/**
 * Validates the query parameters of an export request.
 * @param exporter as in the path
 * @param parameters decoded once; for repeated parameters the last value; unknown ones are ignored, empty ones count as missing
 * @throws AppError `invalid` with the problems of all parameters, `not_found` for an unknown exporter
 */
export function parseExportRequest(
  exporter: string,
  parameters: Readonly<Record<string, string>>,
  directory: ExportDirectory,
): ExportRequest {
  if (!isExporterName(exporter)) throw new AppError('not_found', 'Not found.');
  const problems = new Problems();
  const request = readRequest(exporter, new Parameters(parameters, problems), directory);
  problems.throwIfAny();
  return request;
}

function readRequest(exporter: ExporterName, parameters: Parameters, directory: ExportDirectory): ExportRequest {
  const isAsync = parameters.flag('is_async', false);
  const responseOnly = parameters.flag('response_only', false);
  const layout = fixedLayoutOf(exporter);
  const formatText = parameters.text('export_format') ?? DEFAULT_FORMAT;
  const format = chooseFormat(formatText, responseOnly, parameters.report('export_format'), layout?.formats);
  const staffIds = new Set(directory.staff.map(({ id }) => id));
  const context = { directory, staffIds, format, isAsync };
  // Payroll exporters ignore this parameter (spec, Exports), even if it is no boolean.
  const skip = layout === undefined ? parameters.flag('skip_zero_rows', true) : parseBoolean(parameters.text('skip_zero_rows') ?? 'true');
  const input = { ...inputOf(parameters), skip_zero_rows: skip ?? true };
  const whole =
    layout === undefined
      ? readSection(input, context, (field) => parameters.report(field))
      : readFixedSection({ exporter, layout }, input, context, parameters);
  const sections = exporter === 'multi' ? partsOf(input, context, parameters) : [whole];
  if (exporter === 'generic') refuseConfig(exporter, parameters);
  const prefix = readPrefix(parameters.text('prefix'), format, parameters.report('prefix'));
  const request = { exporter, isAsync, responseOnly, format, sections, prefix };
  return { ...request, echo: echoOf(request, { input, whole }, parameters) };
}

function inputOf(parameters: Parameters): Omit<SectionInput, 'skip_zero_rows'> {
  return {
    title: null,
    daterange: parameters.text('daterange')?.split('|') ?? null,
    types: parameters.list('types'),
    columns: parameters.list('columns'),
    filter: parameters.list('filter'),
    employee_ids: parameters.ids('employee_ids'),
    employee_group_ids: parameters.ids('employee_group_ids'),
  };
}

/** Maximum of types times columns, summed over all parts of `multi`: about one export with all types and the maximum number of columns. */
const MAX_CELLS = 10_000;

/** Problems of inherited fields have already been reported for the request. */
const INHERITED: Report = () => undefined;

function partsOf(inherited: SectionInput, context: SectionContext, parameters: Parameters): readonly SectionRequest[] {
  const parts = readParts(parameters.text('config'), parameters.problems, (own, problems) => {
    const reportOf: ReportOf = (field) => (field in own ? problems.of(field) : INHERITED);
    const section = readSection({ ...inherited, ...own }, context, reportOf);
    return context.format.content === 'json' ? withTitleColumn(section, problems.of('columns')) : section;
  });
  const cells = parts.reduce((sum, { types, columns }) => sum + types.length * columns.length, 0);
  if (cells > MAX_CELLS) parameters.report('config')(`The types times the columns of all parts may not be more than ${String(MAX_CELLS)}.`);
  return parts;
}

function refuseConfig(exporter: ExporterName, parameters: Parameters): void {
  if (parameters.text('config') !== null) parameters.report('config')(`The exporter "${exporter}" takes no config.`);
}

interface Sent {
  readonly input: SectionInput;
  readonly whole: SectionRequest;
}

function echoOf(request: Omit<ExportRequest, 'echo'>, { input, whole }: Sent, parameters: Parameters): RequestEcho {
  return {
    is_async: request.isAsync,
    skip_zero_rows: input.skip_zero_rows ?? true,
    exporter: request.exporter,
    export_format: parameters.text('export_format') ?? DEFAULT_FORMAT,
    daterange: [formatLocalDate(whole.period.first), formatLocalDate(whole.period.last)],
    employee_ids: whole.employeeIds && [...whole.employeeIds],
    types: parameters.list('types'),
    columns: parameters.list('columns'),
    response_only: request.responseOnly,
    prefix: parameters.text('prefix'),
    filter: parameters.text('filter'),
  };
}
