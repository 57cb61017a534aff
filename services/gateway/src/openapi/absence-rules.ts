import { absenceRuleBody, ruleSources } from '@stechuhr/contracts';
import { z } from 'zod';
import { json, type OperationDocs } from './operation-doc.js';
import { choices, daterange, described, example, idInPath, ids, page } from './parameters.js';
import { date, pageExample, pageOf, text, uuid, wideInteger, word } from './values.js';

const absenceRule: z.ZodType = z
  .object({
    id: uuid('Id. The id of a manual rule is persistent; the ids of generated rules are derived values.'),
    employee_id: uuid('Id of the employee.'),
    label: text('Description.'),
    missing_type: text('Absence type.'),
    amount: text('Number of days granted, as a decimal with two places.'),
    priority: wideInteger('Priority; lower values are evaluated first.'),
    available_from: date('First day on which the days can be taken.'),
    expires_at: date('Last day on which the days can be taken; 9999-12-31 means that they never expire.'),
    source: word(['manual', 'setting'], 'Whether the rule is stored (`manual`) or generated from a setting of the employee (`setting`).'),
  })
  .meta({ id: 'AbsenceRule' });

const RULE_ID = 'd1f3b5a7-9c1e-4d3f-8b5a-7c9e1d3f5b39';

const ruleFields = {
  employee_id: example.employee,
  label: 'Sonderurlaub Umzug',
  missing_type: 'vacation',
  amount: '2.00',
  priority: 1,
  available_from: '2026-10-01',
  expires_at: '2026-12-31',
};
const ruleSample = { id: RULE_ID, ...ruleFields, source: 'manual' };
const ruleBody = { schema: described(absenceRuleBody, absenceRule), example: ruleFields };
const ruleProblems = { amount: ['A valid number is required.'], non_field_errors: ['available_from must be on or before expires_at.'] };
const rulePath = idInPath('Id of the manual rule.', RULE_ID);

export const absenceRuleDocs: OperationDocs = {
  'GET /timestamps/absence-rules/': {
    id: 'listAbsenceRules',
    summary: 'List absence rules',
    description: 'Manual rules and rules generated from settings of employees, ordered by first day, priority, employee and id.',
    query: z.object({
      daterange: daterange(
        'Only rules that become available on or after the first day of the range. Generated rules are expanded up to its last day.',
      ),
      sources: choices('Sources', ruleSources),
      ids: ids('Ids of manual rules', RULE_ID),
      employee_ids: ids('Ids of employees', example.employee),
      ...page,
    }),
    answers: { 200: { description: 'One page of the list.', content: json(pageOf(absenceRule), pageExample(ruleSample)) } },
    problems: { sources: ['"automatic" is not a valid choice.'] },
  },
  'POST /timestamps/absence-rules/': {
    id: 'createAbsenceRule',
    summary: 'Create an absence rule',
    description: 'A one-time grant: the whole amount becomes available on `available_from` and is removed on `expires_at`.',
    body: ruleBody,
    answers: { 201: { description: 'The rule.', content: json(absenceRule, ruleSample) } },
    problems: ruleProblems,
  },
  'GET /timestamps/absence-rules/{id}/': {
    id: 'getAbsenceRule',
    summary: 'Get one absence rule',
    description: 'Returns a manual rule. Generated rules are not addressable by id.',
    path: rulePath,
    answers: { 200: { description: 'The rule.', content: json(absenceRule, ruleSample) } },
  },
  'PUT /timestamps/absence-rules/{id}/': {
    id: 'updateAbsenceRule',
    summary: 'Update an absence rule',
    description: 'Replaces all fields of a manual rule.',
    path: rulePath,
    body: ruleBody,
    answers: { 200: { description: 'The rule.', content: json(absenceRule, ruleSample) } },
    problems: ruleProblems,
  },
  'PATCH /timestamps/absence-rules/{id}/': {
    id: 'patchAbsenceRule',
    summary: 'Update an absence rule, like PUT',
    description: 'Behaves like PUT: the whole body is required.',
    path: rulePath,
    body: ruleBody,
    answers: { 200: { description: 'The rule.', content: json(absenceRule, ruleSample) } },
    problems: ruleProblems,
  },
  'DELETE /timestamps/absence-rules/{id}/': {
    id: 'deleteAbsenceRule',
    summary: 'Delete an absence rule',
    description: 'Deletes a manual rule. From now on, balances are calculated without it.',
    path: rulePath,
    answers: { 204: { description: 'Deleted.' } },
  },
};
