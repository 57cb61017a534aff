import { stockFields } from '@stechuhr/kernel';
import { z } from 'zod';
import { amountField, integerField } from './fields.js';

const { date, text, uuid } = stockFields;

/** Body of POST, PUT and PATCH on absence rules; every field is required (spec, Absence rules). */
export const absenceRuleBody = z.object({
  employee_id: uuid(),
  label: text(),
  missing_type: text(),
  /** Converted to hundredths of days. */
  amount: amountField(),
  priority: integerField({ min: 0 }),
  available_from: date(),
  expires_at: date(),
});

/** The sources of rules: stored manually, or derived from a setting of the employee (`sources` of the list). */
export const ruleSources = ['manual', 'setting'] as const;

/** The fields of {@link absenceRuleBody} that are numbers, for `readJson`. */
export const absenceRuleNumbers: readonly string[] = ['amount', 'priority'];
