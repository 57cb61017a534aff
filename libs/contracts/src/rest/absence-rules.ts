import { z } from 'zod';
import { dateField, hundredthsField, integerField, textField, uuidField } from './fields.js';

const MAX_AMOUNT_HUNDREDTHS = 9_999_999;

/** Body of POST, PUT and PATCH on absence rules; every field is required (spec, Absence rules). */
export const absenceRuleBody = z.object({
  employee_id: uuidField(),
  label: textField(),
  missing_type: textField(),
  /** Read as hundredths of days. */
  amount: hundredthsField({ maxHundredths: MAX_AMOUNT_HUNDREDTHS }),
  priority: integerField({ minimum: 0 }),
  available_from: dateField(),
  expires_at: dateField(),
});

/** The fields of {@link absenceRuleBody} that are numbers, for `readJson`. */
export const absenceRuleNumbers: readonly string[] = ['amount', 'priority'];
