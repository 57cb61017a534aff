import { amount, integer, monthDay, nearDate, oneOf, optionalDate, text, uuid } from '@stechuhr/ingest/kinds';
import { z } from 'zod';

const MAX_MONTHS = 1200;
const MAX_YEAR_OFFSET = 100;
const MAX_PRIORITY = 2_147_483_647;

const expiry = z.union(
  [
    z.object({ months: integer(0, MAX_MONTHS) }).strict(),
    z.object({ month_day: monthDay, year_offset: integer(0, MAX_YEAR_OFFSET) }).strict(),
  ],
  { error: 'must be null, {months} or {month_day, year_offset}' },
);

/** A recurring grant of absence days, from which absence rules are expanded (docs/rules/absence-rules.md#entitlements). */
export const entitlement = z.object(
  {
    id: uuid.describe('Id of the setting, unique in the employee.'),
    label: text.describe('Label of its rules, followed by the year.'),
    missing_type: text.describe('Absence type.'),
    amount: amount.describe('Days per cycle, with at most two decimals.'),
    priority: integer(0, MAX_PRIORITY).describe('Rules with a lower value are used first.'),
    cycle_start: monthDay.describe('Day on which a cycle begins.'),
    valid_from: nearDate.describe('First day.'),
    valid_to: optionalDate.describe('Last day; null means open-ended.'),
    expiry: expiry
      .nullish()
      .transform((value) => value ?? null)
      .describe('When days expire: months after the start of the cycle, or a day of a later year; null means never.'),
    proration: oneOf('none', 'twelfths', 'burlg').describe('How parts of a cycle are prorated.'),
  },
  { error: 'must be an object' },
);

/** An entitlement as stored: dates as days since 1970-01-01, the amount in hundredths, days of the year as `MM-DD`. */
export type Entitlement = z.infer<typeof entitlement>;

/** Returns the contradictions within and between entitlements, as sentences. */
export function entitlementContradictions(entitlements: readonly Entitlement[]): readonly string[] {
  const ids = new Set<string>();
  const problems: string[] = [];
  for (const [index, setting] of entitlements.entries()) {
    const field = `entitlements[${String(index)}]`;
    if (ids.has(setting.id)) problems.push(`${field}.id is the id of another setting of the employee.`);
    ids.add(setting.id);
    if (setting.valid_to !== null && setting.valid_to < setting.valid_from) problems.push(`${field}.valid_to lies before its valid_from.`);
    if (setting.proration === 'burlg' && setting.cycle_start !== '01-01') {
      problems.push(`${field}.cycle_start must be 01-01 where proration is burlg.`);
    }
  }
  return problems;
}
