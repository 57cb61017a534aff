import { checkCodes, listOrders, reviewQuery, suppressionBody } from '@stechuhr/contracts';
import { z } from 'zod';
import { json, type OperationDocs } from './operation-doc.js';
import { daterange, day, described, example, idInPath, ids, modifiedSince, order, page } from './parameters.js';
import { date, integer, localDateTime, pageExample, pageOf, text, uuid, word } from './values.js';

const groupNames = ['missing-data', 'conflicts', 'legal-violations', 'anomalies'] as const;
const groupName: z.ZodType = word(groupNames, 'Group of findings.').meta({ id: 'FindingGroupName' });
const checkCode: z.ZodType = word(checkCodes, 'Code of the check.').meta({ id: 'CheckCode' });
const values = z.union([z.string(), z.number(), z.boolean()]);

const findingSchema = z
  .object({
    code: checkCode,
    group: groupName,
    severity: word(['error', 'warning'], 'Severity.'),
    date: date('Day in the month; null if the finding concerns the whole month.').nullable(),
    references: z
      .array(z.array(z.string()).length(2))
      .meta({ description: 'Pairs of type and id: first the employee, then the workmonth, then the records that triggered the finding.' }),
    context: z.record(z.string(), values).meta({ description: 'Machine-readable values of the check; empty if it has none.' }),
    details: text('Summary in German; empty if the title of the check is sufficient.'),
  })
  .meta({ id: 'Finding' });

const review: z.ZodType = z
  .object({ year: integer('Year.'), month: integer('Month.'), findings: z.array(findingSchema) })
  .meta({ id: 'Review' });

const check: z.ZodType = z
  .object({
    value: checkCode,
    group: groupName,
    title: text('Short German label.'),
    description: text('German explanation.'),
    config: z.record(z.string(), values).meta({ description: 'Options of the check that the organization has customized.' }),
  })
  .meta({ id: 'Check' });
const checks: z.ZodType = z.object({ checks: z.array(check) }).meta({ id: 'CheckList' });

const findingGroup: z.ZodType = z
  .object({ value: groupName, title: text('German title.'), description: text('German explanation.') })
  .meta({ id: 'FindingGroup' });
const findingGroups: z.ZodType = z.object({ groups: z.array(findingGroup) }).meta({ id: 'FindingGroupList' });

const suppression: z.ZodType = z
  .object({
    id: uuid('Id.'),
    code: checkCode,
    employee_id: uuid('Id of the employee; null means all employees.').nullable(),
    valid_from: date('First day.'),
    valid_to: date('Last day, inclusive; null means that the rule is permanent.').nullable(),
    created_at: localDateTime('When it was created.'),
    modified_at: localDateTime('When it was last changed.'),
  })
  .meta({ id: 'Suppression' });

const SUPPRESSION_ID = 'f5b7d9c1-3e5a-4f7b-9d1c-5e7a9f1b3d40';

const finding = {
  code: 'insufficient-break',
  group: 'legal-violations',
  severity: 'error',
  date: '2026-10-05',
  references: [
    ['employee', example.employee],
    ['workmonth', 'abb736be-0a1a-5e42-a594-6bb0deeab9c6'],
    ['workday', '56601ab7-a8e2-54fc-826e-ecd9ea844c00'],
  ],
  context: { net_working_seconds: 30_600, actual_break_seconds: 0, required_break_seconds: 1_800 },
  details: 'Verdacht: Am 05.10.2026 stehen 8,5 Stunden Arbeit nur 0 Minuten Pause gegenüber, nötig sind 30 Minuten.',
};

const checkSample = {
  value: 'delayed-employee-edit',
  group: 'anomalies',
  title: 'Späte Änderung durch Beschäftigte',
  description:
    'Beschäftigte haben einen eigenen Arbeitstag noch lange nach seinem Ende geändert. Die Arbeitszeit ist spätestens am siebten Tag nach der ' +
    'Arbeitsleistung aufzuzeichnen (§ 17 Abs. 1 MiLoG); spätere Änderungen sollten belegt sein. Änderungen durch Vorgesetzte zählen nicht.',
  config: { hours: 72 },
};

const groupSample = {
  value: 'legal-violations',
  title: 'Mögliche Rechtsverstöße',
  description:
    'Verdacht auf Verstöße gegen das Arbeitszeitrecht. Ob ein Verstoß vorliegt, hängt auch von Tarifvertrag, Betriebsvereinbarung und Ausnahmen ab, die hier nicht bekannt sind.',
};

const runDocs: OperationDocs = {
  'GET /reviews/reviews/': {
    id: 'runReview',
    summary: 'Review a month',
    description:
      'Runs the active checks for every employee with a workday in the month. Returns all findings without pagination, ordered by date, severity and code.',
    query: described(reviewQuery, review, { year: 2026, month: 10 }),
    answers: { 200: { description: 'The findings.', content: json(review, { year: 2026, month: 10, findings: [finding] }) } },
    problems: { year: ['This field is required.'], month: ['A valid integer is required.'] },
  },
  'GET /reviews/reviews/checks/': {
    id: 'listChecks',
    summary: 'List the checks',
    description: 'The checks that are active for the organization.',
    answers: { 200: { description: 'The checks.', content: json(checks, { checks: [checkSample] }) } },
  },
  'GET /reviews/reviews/groups/': {
    id: 'listFindingGroups',
    summary: 'List the finding groups',
    description: 'The four groups that findings belong to.',
    answers: { 200: { description: 'The groups.', content: json(findingGroups, { groups: [groupSample] }) } },
  },
};

const suppressionFields = { code: 'insufficient-break', employee_id: example.employee, valid_from: '2026-10-01', valid_to: null };
const suppressionSample = {
  id: SUPPRESSION_ID,
  ...suppressionFields,
  created_at: '2026-10-07T09:30:00',
  modified_at: '2026-10-07T09:30:00',
};
const suppressionProblems = { code: ['"no-coffee" is not a valid choice.'], valid_from: ['This field is required.'] };
const suppressionPath = idInPath('Id of the rule.', SUPPRESSION_ID);
const suppressionJson = json(suppression, suppressionSample);

const suppressionDocs: OperationDocs = {
  'GET /reviews/suppressions/': {
    id: 'listSuppressions',
    summary: 'List suppression rules',
    description: `The rules of the whole organization, ordered by \`valid_from\` and id. A rule can refer to one of ${String(checkCodes.length)} checks.`,
    query: z.object({
      ids: ids('Ids', SUPPRESSION_ID),
      employee_ids: ids('Ids of employees', example.employee),
      daterange: daterange('Only rules that are valid on at least one day of the range.'),
      valid_from__lte: day('Only rules with `valid_from` on or before the date.', '2026-10-31'),
      valid_until__gte: day('Only rules with `valid_to` on or after the date. Permanent rules are always included.', '2026-10-01'),
      modified_since: modifiedSince,
      order: order(listOrders.suppressions),
      ...page,
    }),
    answers: { 200: { description: 'One page of the list.', content: json(pageOf(suppression), pageExample(suppressionSample)) } },
    problems: { daterange: ['The end of the range must not be before its start.'] },
  },
  'POST /reviews/suppressions/': {
    id: 'createSuppression',
    summary: 'Create a suppression rule',
    description: 'If a rule with the same `code`, `employee_id` and `valid_from` already exists, it is returned unchanged with status 200.',
    body: { schema: described(suppressionBody, suppression), example: suppressionFields },
    answers: {
      200: { description: 'The existing rule.', content: suppressionJson },
      201: { description: 'The new rule.', content: suppressionJson },
    },
    problems: suppressionProblems,
  },
  'GET /reviews/suppressions/{id}/': {
    id: 'getSuppression',
    summary: 'Get one suppression rule',
    description: 'Returns a rule of the organization.',
    path: suppressionPath,
    answers: { 200: { description: 'The rule.', content: suppressionJson } },
  },
  'PATCH /reviews/suppressions/{id}/': {
    id: 'updateSuppression',
    summary: 'Update a suppression rule',
    description: 'Changes only the fields in the body. The method PUT is not available.',
    path: suppressionPath,
    body: { schema: described(suppressionBody, suppression).partial(), example: { valid_to: '2026-12-31' } },
    answers: { 200: { description: 'The rule.', content: suppressionJson } },
    problems: { valid_to: ['Date has wrong format. Use one of these formats instead: YYYY-MM-DD.'] },
  },
  'DELETE /reviews/suppressions/{id}/': {
    id: 'deleteSuppression',
    summary: 'Delete a suppression rule',
    description: 'Deletes a rule. Findings that it hid are shown again.',
    path: suppressionPath,
    answers: { 204: { description: 'Deleted.' } },
  },
};

/** Reviews, and the rules that hide findings. */
export const reviewDocs: OperationDocs = { ...runDocs, ...suppressionDocs };
