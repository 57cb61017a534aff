import { exporterNames, formats, MAX_ELEMENTS, PAYROLL_B_CONFIG, type ReferencePageName, referencePageNames } from '@stechuhr/exporting';
import { queryPatterns } from '@stechuhr/kernel';
import { z } from 'zod';
import { envelopeOf, samples } from './export-samples.js';
import { html, json, type OperationDoc, type OperationDocs } from './operation-doc.js';
import { example, ids, parameter } from './parameters.js';
import { TASK_ID } from './tasks.js';
import { binary, flag, integer, localDateTime, text, url, uuid, word } from './values.js';

const exporters: z.ZodType = z
  .record(z.string(), url('Address of the exporter.'))
  .meta({ id: 'Exporters', description: 'Addresses by exporter.' });

const texts = (description: string) => z.array(z.string()).nullable().meta({ description });

const exportRequest = z
  .object({
    is_async: flag('As in the request.'),
    skip_zero_rows: flag('As in the request.'),
    exporter: text('Name of the exporter.'),
    export_format: text('Format and its options, as in the request.'),
    daterange: z.array(z.string()).length(2).meta({ description: 'First and last day.' }),
    employee_ids: z.array(uuid('Id of the employee.')).nullable(),
    types: texts('Row types.'),
    columns: texts('Columns.'),
    response_only: flag('As in the request.'),
    prefix: text('As in the request.').nullable(),
    filter: text('As in the request.').nullable(),
  })
  .meta({ id: 'ExportRequest', description: 'The validated configuration of an export.' });

/** Named, because a Java generator needs a name for a map among alternatives. An array must not be named. */
const row = z.record(z.string(), z.unknown()).meta({ id: 'ExportRow', description: 'Values by column id.' });

const rows = z.array(row).meta({ description: 'Rows keyed by the column ids.' });

const exportEnvelope: z.ZodType = z
  .object({
    request: exportRequest,
    response: z.union([z.string(), rows]).meta({ description: 'The file as text; for `json`, an array of rows keyed by the column ids.' }),
  })
  .meta({ id: 'ExportEnvelope' });

export const exportTask: z.ZodType = z
  .object({
    id: uuid('Id of the task.'),
    created_at: localDateTime('When the file was first requested.'),
    finished_at: localDateTime('When the task finished; null until then.').nullable(),
    status: word(['created', 'in_progress', 'finished', 'error'], 'State.'),
    target: url('Temporary address of the file; null until the task has finished, and again 12 hours later.').nullable(),
  })
  .meta({
    id: 'ExportTask',
    description: 'A task that writes a file in the background. Repeat the request to get the current state of the task.',
  });

const WARNINGS =
  'Warnings about a payroll file, as a structured list (RFC 9651). Possible items: `staff-left-out`, `shared-accounting-number`, `unusable-accounting-number`, `absence-without-wage-code`, `open-review-errors` and `review-unknown`. Each item has the parameters `count` and `about`; `about` contains the reason, numbers, absence types or months. If the header would be longer than 2 KiB, `about` is omitted. The header is absent if there are no warnings.';

/**
 * The headers of exports. The description of an optional header is set on the optional schema as well, because the header would have none
 * otherwise.
 */
const skippedHeader: z.ZodObject = z.object({
  'X-Export-Skipped': integer('Number of selected employees that were left out of the file.'),
  'X-Export-Warnings': text(WARNINGS).optional().describe(WARNINGS),
});

const BASE = 'https://api.example.com/api/v2';

const flagParameter = (description: string, sample: string, fallback: boolean) =>
  parameter(`${description} Values: \`true\`, \`false\`, \`1\` or \`0\`.`, sample, { type: 'boolean', default: fallback });

const formatPattern = `^(${formats.map(({ id }) => id).join('|')})(:.*)?$`;

const atMost = `At most ${String(MAX_ELEMENTS)}.`;

const common = {
  daterange: z.string().meta({
    description: 'First and last day, `YYYY-MM-DD|YYYY-MM-DD`. At most 366 days; with `is_async`, at most five years.',
    param: { example: '2026-10-01|2026-10-31' },
    override: { pattern: queryPatterns.range },
  }),
  export_format: parameter('Format and its options, for example `csv:delimiter>%3B`.', 'csv', { pattern: formatPattern, default: 'csv' }),
  response_only: flagParameter('Whether the body of the response is the file itself instead of an envelope.', 'true', false),
  employee_ids: ids('Ids of employees', example.employee, 'Unknown and repeated ids are rejected with 400.'),
  employee_group_ids: ids(
    'Ids of departments',
    example.department,
    'Together with `employee_ids`, employees that match either list are included. Unknown and repeated ids are rejected with 400.',
  ),
  filter: parameter(
    `Additional filters \`key=value\`, separated by \`|\`. The reference page of filters lists all of them. ${atMost.slice(0, -1)} values in total.`,
    'position=Polier',
  ),
  prefix: parameter('Base64-encoded text that is prepended to the file. Only for `csv`, `plain` and `table`.', 'QWJyZWNobnVuZw0K', {
    contentEncoding: 'base64',
  }),
  is_async: flagParameter(
    'Whether to run the export as a background task. Repeat the request to get the state of the task.',
    'false',
    false,
  ),
};

const own: Readonly<Record<(typeof exporterNames)[number], z.ZodRawShape>> = {
  generic: {
    types: parameter(
      `Row types, separated by \`|\`. The reference page of types lists all of them. ${atMost}`,
      'work-time:hours|vacation:days',
    ),
    columns: parameter(
      `Columns with their modifiers, separated by \`|\`. The reference pages of columns and modifiers list all of them. ${atMost}`,
      'last-name|type|value',
    ),
    skip_zero_rows: flagParameter('Whether rows whose value is 0 are left out.', 'true', true),
  },
  payroll_a: { types: parameter('Restricts the output to these wage codes, separated by `|`.', '360|400') },
  payroll_b: {
    config: z.string().meta({
      description: 'Advisor number and client number, `<advisor_number>|<client_number>`.',
      param: { example: '1001|20002' },
      override: { pattern: PAYROLL_B_CONFIG.source },
    }),
  },
  multi: {
    config: z.string().meta({
      description:
        'JSON array of 1 to 20 configurations. For keys that a configuration omits, the parameters of the request apply. The number of types times the number of columns, added up over all configurations, is at most 10,000.',
      param: { example: '[{"title":"Stunden","types":["work-time:hours"]},{"title":"Urlaub","types":["vacation:days"]}]' },
      override: { contentMediaType: 'application/json' },
    }),
    types: parameter('Row types of configurations that specify none.', 'work-time:hours'),
    columns: parameter('Columns of configurations that specify none.', 'last-name|value'),
    skip_zero_rows: flagParameter('Whether rows whose value is 0 are left out, for configurations that do not specify it.', 'true', true),
  },
};

const summaries = {
  generic: ['Run the generic export', 'Tracked time, planned time and absences, with rows and columns of your choice.'],
  payroll_a: [
    'Run the payroll export A',
    'Wage records in a fixed layout with a header row. Employees without an accounting number are left out.',
  ],
  payroll_b: ['Run the payroll export B', 'Wage records in a fixed layout without a header row (DATEV Lohn und Gehalt).'],
  multi: [
    'Run several exports in one file',
    'Combines several configurations of the generic export in one file. Each configuration becomes a sheet or a section with a title.',
  ],
} as const;

const operationIds = {
  generic: 'runGenericExport',
  payroll_a: 'runPayrollAExport',
  payroll_b: 'runPayrollBExport',
  multi: 'runMultiExport',
};

const taskExample = {
  id: TASK_ID,
  created_at: '2026-11-02T08:00:00',
  finished_at: null,
  status: 'in_progress',
  target: null,
};

function exportDoc(exporter: (typeof exporterNames)[number]): OperationDoc {
  const [summary, description] = summaries[exporter];
  return {
    id: operationIds[exporter],
    summary,
    description:
      `${description} Only employees that the account may see are included.\n\n` +
      'By default, the response is an envelope with the request and the data. With `response_only=true`, it is the file itself. With ' +
      '`is_async=true`, it is a background task: repeat the request until `status` is `finished`, then download the file from `target`.',
    query: z.object({ ...common, ...own[exporter] }),
    answers: {
      200: {
        description: 'The envelope, the file or the task.',
        headers: skippedHeader,
        content: {
          'application/json': {
            schema: z.union([exportEnvelope, exportTask, rows]),
            examples: { envelope: envelopeOf(exporter), task: taskExample, file: samples[exporter].rows },
          },
          'text/csv': { schema: text('The file.'), example: samples[exporter].csv },
          'text/plain': { schema: text('The file in the format `table` or `plain`.'), example: samples[exporter].plain },
          'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': { schema: binary('The file in the format `xlsx`.') },
        },
      },
    },
    problems: {
      daterange: ['This field is required.'],
      ...(exporter === 'payroll_b' ? { config: ['This field is required.'] } : { types: ['"works" is not a valid choice.'] }),
    },
  };
}

function pageDoc(name: ReferencePageName): OperationDoc {
  return {
    id: `export${name.slice(0, 1).toUpperCase()}${name.slice(1)}Page`,
    summary: `Reference page of ${name}`,
    description: `An HTML page in German that lists the ${name} of an exporter.`,
    path: z.object({ exporter: z.enum(exporterNames).meta({ description: 'Name of the exporter.', param: { example: 'generic' } }) }),
    answers: { 200: html },
  };
}

export const exportDocs: OperationDocs = {
  'GET /exports/': {
    id: 'listExporters',
    summary: 'List the exporters',
    description: 'The address of each exporter.',
    answers: { 200: { description: 'Addresses.', content: json(exporters, { generic: `${BASE}/exports/generic/` }) } },
  },
  ...Object.fromEntries(exporterNames.map((exporter) => [`GET /exports/${exporter}/`, exportDoc(exporter)])),
  ...Object.fromEntries(referencePageNames.map((name) => [`GET /exports/{exporter}/${name}/`, pageDoc(name)])),
};
