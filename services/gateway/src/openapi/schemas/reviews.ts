import { checkCodes } from '@stechuhr/contracts';
import { z } from 'zod';
import { date, integer, localDateTime, text, uuid, word } from './values.js';

const groupNames = ['missing-data', 'conflicts', 'legal-violations', 'anomalies'] as const;
const values = z.union([z.string(), z.number(), z.boolean()]);

const finding = z
  .object({
    code: word(checkCodes, 'Check.'),
    group: word(groupNames, 'Group.'),
    severity: word(['error', 'warning'], 'Severity.'),
    date: date('Day within the month; null for findings of the whole month.').nullable(),
    references: z
      .array(z.array(z.string()).length(2))
      .meta({ description: 'Pairs of type and id: the employee, the workmonth, then the records that triggered it.' }),
    context: z.record(z.string(), values).meta({ description: 'Values of the check.' }),
    details: text('German sentence; empty when the title of the check suffices.'),
  })
  .meta({ id: 'Finding' });

export const review: z.ZodType = z
  .object({ year: integer('Year.'), month: integer('Month.'), findings: z.array(finding) })
  .meta({ id: 'Review' });

export const checks: z.ZodType = z.object({
  checks: z.array(
    z
      .object({
        value: word(checkCodes, 'Check.'),
        group: word(groupNames, 'Group.'),
        title: text('Short German label.'),
        description: text('German explanation.'),
        config: z.record(z.string(), values).meta({ description: 'Options that the organization has customized.' }),
      })
      .meta({ id: 'Check' }),
  ),
});

export const findingGroups: z.ZodType = z.object({
  groups: z.array(
    z
      .object({ value: word(groupNames, 'Group.'), title: text('German title.'), description: text('German explanation.') })
      .meta({ id: 'FindingGroup' }),
  ),
});

export const suppression: z.ZodType = z
  .object({
    id: uuid('Id.'),
    code: word(checkCodes, 'Check whose findings are hidden.'),
    employee_id: uuid('Employee; null means all employees.').nullable(),
    valid_from: date('First day.'),
    valid_to: date('Last day, inclusive; null means permanent.').nullable(),
    created_at: localDateTime('Creation.'),
    modified_at: localDateTime('Last change.'),
  })
  .meta({ id: 'Suppression' });

export const absenceRule: z.ZodType = z
  .object({
    id: uuid('Persistent for manual rules; ids of generated rules are derived values.'),
    employee_id: uuid('Employee.'),
    label: text('Description.'),
    missing_type: text('Absence type.'),
    amount: text('Days granted, a decimal with two places.'),
    priority: integer('Lower is evaluated first.'),
    available_from: date('First day on which the days can be taken.'),
    expires_at: date('Last day on which the days can be taken; 9999-12-31 means that they never expire.'),
    source: word(['manual', 'setting'], 'Whether the rule is stored (`manual`) or generated from a setting of the employee.'),
  })
  .meta({ id: 'AbsenceRule' });
