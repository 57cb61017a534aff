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
    is_async: flag('As requested.'),
    skip_zero_rows: flag('As requested.'),
    exporter: text('Name of the exporter.'),
    export_format: text('As requested, with its options.'),
    daterange: z.array(z.string()).length(2).meta({ description: 'First and last day.' }),
    employee_ids: z.array(uuid('Employee.')).nullable(),
    types: texts('Row types.'),
    columns: texts('Columns.'),
    response_only: flag('As requested.'),
    prefix: text('As requested.').nullable(),
    filter: text('As requested.').nullable(),
  })
  .meta({ id: 'ExportRequest', description: 'The validated configuration of an export.' });

/** A generator for Java needs a name for a map among alternatives, and none for an array. */
const row = z.record(z.string(), z.unknown()).meta({ id: 'ExportRow', description: 'Values by column id.' });

const rows = z.array(row).meta({ description: 'Rows keyed by the column ids.' });

const exportEnvelope: z.ZodType = z
  .object({
    request: exportRequest,
    response: z.union([z.string(), rows]).meta({ description: 'The file as text; for json an array of rows keyed by the column ids.' }),
  })
  .meta({ id: 'ExportEnvelope' });

export const exportTask: z.ZodType = z
  .object({
    id: uuid('Id of the task.'),
    created_at: localDateTime('When it was first requested.'),
    finished_at: localDateTime('Null until it is finished.').nullable(),
    status: word(['created', 'in_progress', 'finished', 'error'], 'State.'),
    target: url('Temporary address of the file, up to 12 hours after it was finished; null before.').nullable(),
  })
  .meta({
    id: 'ExportTask',
    description: 'The task of a file that is written in the background; repeating the request returns its current state.',
  });

const WARNINGS =
  'What the reader of a payroll file should know, a structured list (RFC 9651) of staff-left-out, shared-accounting-number, unusable-accounting-number, absence-without-wage-code, open-review-errors and review-unknown, each with `count` and `about`: the reason, numbers, absence types or months. `about` is left out where the header would be longer than 2 KiB. Absent where there is nothing.';

/** The headers of exports. Of an optional one the description stands outside, too: else the header itself would have none. */
const skippedHeader: z.ZodObject = z.object({
  'X-Export-Skipped': integer('Selected employees that were left out.'),
  'X-Export-Warnings': text(WARNINGS).optional().describe(WARNINGS),
});

const BASE = 'https://api.example.com/api/v2';

const flagParameter = (description: string, sample: string, fallback: boolean) =>
  parameter(`${description} \`true\`, \`false\`, \`1\` or \`0\`.`, sample, { type: 'boolean', default: fallback });

const formatPattern = `^(${formats.map(({ id }) => id).join('|')})(:.*)?$`;

const atMost = `At most ${String(MAX_ELEMENTS)}.`;

const common = {
  daterange: z.string().meta({
    description: 'First and last day, `YYYY-MM-DD|YYYY-MM-DD`. Up to 366 days, up to five years with `is_async`.',
    param: { example: '2026-10-01|2026-10-31' },
    override: { pattern: queryPatterns.range },
  }),
  export_format: parameter('Format with its options, for example `csv:delimiter>%3B`.', 'csv', { pattern: formatPattern, default: 'csv' }),
  response_only: flagParameter('Whether the body is the file itself instead of an envelope.', 'true', false),
  employee_ids: ids('Ids of employees', example.employee, 'Unknown and repeated ones give a 400.'),
  employee_group_ids: ids(
    'Ids of departments',
    example.department,
    'Employees that match either list are included; unknown and repeated ids give a 400.',
  ),
  filter: parameter(
    `Further filters \`key=value\`, joined by \`|\`; the page of filters lists them all. ${atMost.slice(0, -1)} values together.`,
    'position=Polier',
  ),
  prefix: parameter('Base64 of a text that is prepended to the file (csv, plain and table).', 'QWJyZWNobnVuZw0K', {
    contentEncoding: 'base64',
  }),
  is_async: flagParameter('Whether to start a background task, or to get its state.', 'false', false),
};

const own: Readonly<Record<(typeof exporterNames)[number], z.ZodRawShape>> = {
  generic: {
    types: parameter(`Row types, separated by \`|\`; the page of types lists them all. ${atMost}`, 'work-time:hours|vacation:days'),
    columns: parameter(
      `Columns with their modifiers, separated by \`|\`; the pages of columns and modifiers list them all. ${atMost}`,
      'last-name|type|value',
    ),
    skip_zero_rows: flagParameter('Whether rows whose value is 0 are left out.', 'true', true),
  },
  payroll_a: { types: parameter('Wage codes that restrict the output, separated by `|`.', '360|400') },
  payroll_b: {
    config: z.string().meta({
      description: 'Advisor number and client number.',
      param: { example: '1001|20002' },
      override: { pattern: PAYROLL_B_CONFIG.source },
    }),
  },
  multi: {
    config: z.string().meta({
      description:
        'JSON array of 1 to 20 configurations; keys that one omits are taken from the request. Types times columns of all parts are at most 10,000.',
      param: { example: '[{"title":"Stunden","types":["work-time:hours"]},{"title":"Urlaub","types":["vacation:days"]}]' },
      override: { contentMediaType: 'application/json' },
    }),
    types: parameter('Row types for configurations without their own.', 'work-time:hours'),
    columns: parameter('Columns for configurations without their own.', 'last-name|value'),
    skip_zero_rows: flagParameter('For configurations without their own value.', 'true', true),
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
    'Several configurations of the generic export, as one sheet each or as sections with a title.',
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
      `${description} Only employees that the account may see are included. The response is an envelope of request and data; with \`response_only=true\` ` +
      'the file itself, with `is_async=true` a task: repeat the request until its `status` is `finished`, then fetch `target`.',
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
          'text/plain': { schema: text('The file, as `table` or `plain`.'), example: samples[exporter].plain },
          'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': { schema: binary('The file, as `xlsx`.') },
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
    description: `The ${name} of an exporter as a German HTML page.`,
    path: z.object({ exporter: z.enum(exporterNames).meta({ description: 'Exporter.', param: { example: 'generic' } }) }),
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
