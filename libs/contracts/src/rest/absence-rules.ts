import { stockFields } from '@stechuhr/kernel';
import { z } from 'zod';
import { amountField, integerField } from './fields.js';

const { date, text, uuid } = stockFields;

/** Body of POST, PUT and PATCH on absence rules; every field is required (spec, Absence rules). */
export const absenceRuleBody = z.object({
  employee_id: uuid(),
  label: text(),
  missing_type: text(),
  /** Read as hundredths of days. */
  amount: amountField(),
  priority: integerField({ min: 0 }),
  available_from: date(),
  expires_at: date(),
});

/** Where a rule comes from: it is stored, or follows from a setting of its employee (`sources` of the list). */
export const ruleSources = ['manual', 'setting'] as const;

/** The fields of {@link absenceRuleBody} that are numbers, for `readJson`. */
export const absenceRuleNumbers: readonly string[] = ['amount', 'priority'];
