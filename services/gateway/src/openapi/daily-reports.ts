import {
  autofillBody,
  bundleBody,
  listOrders,
  MAX_BUNDLE_REPORTS,
  MAX_PDF_BYTES,
  MAX_PDF_ENTRIES,
  reportStatuses,
  reportStatusQuery,
  uploadTokenBody,
} from '@stechuhr/contracts';
import { queryPatterns } from '@stechuhr/kernel';
import { z } from 'zod';
import { exportTask } from './exports.js';
import { json, type OperationDocs } from './operation-doc.js';
import { choices, day, described, example, ids, order, page, parameter } from './parameters.js';
import { autofill, entry, fieldType, report, reportStatus, uploadToken } from './daily-report-schemas.js';
import { binary, date, integer, pageExample, pageOf, text, uuid } from './values.js';

const DAY = '2026-10-05';
const ENTRY_ID = 'a3c5e7d9-1b3f-4a5c-8e7d-9b1f3a5c7e41';

const reportSample = {
  id: `${example.project}|${DAY}`,
  date: DAY,
  tag_id: example.project,
  status: 'draft',
  tag: { id: example.project, name: 'Neubau Kindertagesstätte Lindenweg', code: 'HB-101', color: '#2f6fb0' },
  address: 'Lindenweg 14, 93055 Regensburg',
  cost_center: '20101',
  client: 'Zweckverband Kinderbetreuung Donautal',
  contributor_count: 1,
  employees: [{ id: example.employee, first_name: 'Jürgen', last_name: 'Müller' }],
  total_hours: 8.5,
  weather: [{ time: '07:00', temperature: 9.5, weather_condition: 'cloudy' }],
  values: [{ type: 'activities', text: 'Schalung 2. OG' }],
};

const entrySample = {
  id: ENTRY_ID,
  group_id: `${DAY}|${example.project}|${example.employee}|Schalung 2. OG`,
  group_count: 1,
  field_id: 'activities',
  type: 'activities',
  date: DAY,
  tag_id: example.project,
  author_id: null,
  author_name: null,
  on_behalf_of_id: example.employee,
  on_behalf_of_name: 'Jürgen Müller',
  burned: false,
  submitted_at: null,
  created_at: '2026-10-05T16:00:00',
  modified_at: '2026-10-05T16:00:00',
  text: 'Schalung 2. OG',
};

const fieldTypeSample = {
  id: 'weather',
  group_by: ['date', 'tag_id', 'time'],
  description:
    'Weather readings, one for each configured time. Requires the options times (list of HHMM) and autofill_from_api (boolean). precipitation, cloud_cover and wind are accepted on writes and not returned.',
  choices: {
    condition: [
      { id: 'sunny', label: 'Sonnig' },
      { id: 'cloudy', label: 'Bewölkt' },
      { id: 'precipitation', label: 'Niederschlag' },
      { id: 'snow', label: 'Schnee' },
    ],
  },
};

const formSample = {
  key: `uploads/${example.institution}/${example.account}/1.jpg`,
  AWSAccessKeyId: 'stechuhr',
  policy: 'eyJleHBpcmF0aW9uIjoi…',
  signature: 'Zm9vYmFy…',
};

const bundleTask = {
  id: '5b9c1f0e-7d3a-4c58-9e21-0f6a8d4b2c17',
  created_at: '2026-10-12T08:00:00',
  finished_at: null,
  status: 'created',
  target: null,
};

const writtenBundle = {
  finished_at: '2026-10-12T08:00:04',
  status: 'finished',
  target: 'https://files.example.com/stechuhr/exports/1.pdf?X-Amz-Signature=5f3c',
};

const words = z.object({
  tag: uuid('Id of the project.'),
  date: date('Day of the report.'),
  field: text('Id of the field of the form. If null or omitted, all fields that can be filled are filled.'),
  date_from: date('First day.'),
  date_to: date('Last day.'),
  projects: z
    .array(uuid('Id of the project.'))
    .meta({ description: 'Ids of projects. If null or omitted, all projects that the token may see.' }),
  status: z.array(text('State.')).meta({ description: 'States of reports. If null or omitted, all states.' }),
  format: text('`pdf` for one PDF with an outline, `zip` for an archive of PDFs.'),
  filename: text('Name of the file.'),
  filetype: text('Media type of the file.'),
  filesize: integer('Size of the file in bytes.'),
});

/** The range of these lists must have both sides; other lists accept a range with one side. */
const fullRange = (more = '') =>
  parameter(
    `First and last day, \`YYYY-MM-DD|YYYY-MM-DD\`. If the range is incomplete or invalid, the result is empty.${more}`,
    '2026-10-01|2026-10-31',
    {
      pattern: queryPatterns.range,
    },
  );

export const dailyReportDocs: OperationDocs = {
  'GET /daily-reports/reports/': {
    id: 'listDailyReports',
    summary: 'List daily reports',
    description: 'One report for each project and day with entries, newest day first.',
    query: z.object({
      date_from: day('First day. An invalid date is ignored.', '2026-10-01'),
      date_to: day('Last day. An invalid date is ignored.', '2026-10-31'),
      daterange: fullRange(' `daterange` takes precedence over `date_from` and `date_to`.'),
      projects: ids('Ids of projects', example.project),
      status: choices('States', reportStatuses),
      order: order(listOrders.dailyReports),
      ...page,
    }),
    answers: { 200: { description: 'One page of the list.', content: json(pageOf(report), pageExample(reportSample)) } },
    problems: { $query: ['"status" is not a valid ordering field.'] },
  },
  'GET /daily-reports/reports/field-types/': {
    id: 'listFieldTypes',
    summary: 'List field types',
    description: 'The seven types that fields of a report can have.',
    query: z.object(page),
    answers: { 200: { description: 'One page of the list.', content: json(pageOf(fieldType), pageExample(fieldTypeSample)) } },
    problems: { $query: ['"id" is not a valid ordering field.'] },
  },
  'GET /daily-reports/reports/status/': {
    id: 'getDailyReportStatus',
    summary: 'Get the status of a report',
    description: 'A report whose status was never changed is a draft.',
    query: described(reportStatusQuery, words, { tag: example.project, date: DAY }),
    answers: {
      200: { description: 'The status.', content: json(reportStatus, { tag_id: example.project, date: DAY, status: 'draft' }) },
    },
    problems: { tag: ['Must be a valid UUID.'] },
  },
  'POST /daily-reports/reports/autofill/': {
    id: 'autofillDailyReport',
    summary: 'Fill a report from time tracking',
    description:
      'Creates entries from the time tracking of the day. The operation is idempotent and never overwrites values that were corrected manually. For a submitted or closed report, a restricted token also needs the scope `daily_reports:approve`.',
    body: { schema: described(autofillBody, words), example: { tag: example.project, date: DAY, field: 'activities' } },
    answers: {
      200: {
        description: 'The fields that were filled.',
        content: json(autofill, { tag_id: example.project, date: DAY, filled: ['activities'] }),
      },
    },
    problems: { tag: ['Must be a valid UUID.'], date: ['This field is required.'] },
  },
  'POST /daily-reports/reports/bundles/': {
    id: 'createDailyReportBundle',
    summary: 'Get the reports of several days in one file',
    description:
      `Writes at most ${String(MAX_BUNDLE_REPORTS)} reports, such as those of a week or a project, into one PDF or an archive of PDFs. They are ` +
      `ordered by project and day. One PDF holds at most ${String(MAX_PDF_ENTRIES)} entries, counting every version, and ` +
      `${String(MAX_PDF_BYTES)} bytes of their texts and signatures; an archive has no such limits. ` +
      'The file is written in the background: repeat the request until `target` contains its address. It waits while ' +
      'many other bundles are being written. An identical request within 12 hours returns the same task. `/asynchronous-tasks/tasks/` lists this ' +
      'task, too; after you delete it there, the request starts a new task.',
    body: {
      schema: described(bundleBody, words),
      example: { date_from: '2026-10-05', date_to: '2026-10-11', projects: [example.project], status: null, format: 'pdf' },
    },
    answers: {
      200: { description: 'The task, whose file is complete.', content: json(exportTask, { ...bundleTask, ...writtenBundle }) },
      202: { description: 'The task, which was just started or is still running.', content: json(exportTask, bundleTask) },
    },
    problems: { non_field_errors: ['There are no such reports.'] },
  },
  'GET /daily-reports/reports/{id}/pdf/': {
    id: 'getDailyReportPdf',
    summary: 'Get a report as PDF',
    description: 'Returns a PDF with the fields of the form that was active on the day. For a day without entries, it is the empty form.',
    path: z.object({
      id: z.string().meta({
        description: 'Id of the report, `<tag_id>|<date>`.',
        param: { example: reportSample.id },
        override: { pattern: queryPatterns.projectAndDay },
      }),
    }),
    answers: { 200: { description: 'The report.', content: { 'application/pdf': { schema: binary('A PDF.') } } } },
    problems: { id: ['The id must have the form <tag_id>|<date>.'] },
  },
  'GET /daily-reports/entries/': {
    id: 'listDailyReportEntries',
    summary: 'List entries',
    description:
      'All entries: newest day first and, within a day, newest entry first. To get the content of a report, request `grouped=1` for one ' +
      'project and day. Groups whose entry is `burned` are deleted.',
    query: z.object({
      tags: ids('Ids of projects', example.project, 'If an id is invalid or not visible, the result is empty.'),
      field_id: parameter('Id of the field of the form.', 'activities'),
      daterange: fullRange(),
      grouped: parameter('`1`: only the newest entry of each group.', '1'),
      ids: ids('Ids', ENTRY_ID),
      modified_since: parameter(
        'Only entries that the platform stored at or after this local time, regardless of their `created_at` and `modified_at`. To keep a copy up to date, pass the time at which the previous reading began, minus one minute. Deleted entries are not in the list; only events report deletions.',
        '2026-10-01T00:00:00',
        { pattern: queryPatterns.localDateTimeInput },
      ),
      order: order(listOrders.dailyReports),
      ...page,
    }),
    answers: { 200: { description: 'One page of the list.', content: json(pageOf(entry), pageExample(entrySample)) } },
    problems: { $query: ['"type" is not a valid ordering field.'] },
  },
  'POST /daily-reports/entries/upload-photo-token/': {
    id: 'createPhotoUploadToken',
    summary: 'Get upload forms for a photo',
    description: 'Returns forms for uploading a photo of at most 2 MB and its preview. They are valid for 12 hours.',
    body: { schema: described(uploadTokenBody, words), example: { filename: 'rohbau.jpg', filetype: 'image/jpeg', filesize: 1_204_332 } },
    answers: {
      200: {
        description: 'The upload forms.',
        content: json(uploadToken, { url: 'https://files.example.com/stechuhr', fields: formSample, thumb_fields: formSample }),
      },
    },
    problems: { filesize: ['Ensure this value is less than or equal to 2097152.'] },
  },
};
