/**
 * Subjects of the built-in row types of exports (docs/rules/records.md#absence-types). An absence type with the same name would make
 * `subject:unit` ambiguous. Subjects that only a later version of the exports uses are also reserved.
 */
const SUBJECTS = new Set([
  'credit-time',
  'work-time',
  'gross-time',
  'break-time',
  'planned-time',
  'balance',
  'overtime',
  'overtime-account',
  'night-time',
  'sunday-time',
  'saturday-time',
  'holiday-time',
  'public-holiday',
  'absence',
  'daily',
  'workday',
  'timespan',
  'project',
  'absence-day',
  'vacation-granted',
  'vacation-taken',
  'vacation-remaining',
  'vacation-expiring',
  'vacation-year-carry-over',
  'vacation-year-entitlement',
  'vacation-year-taken',
  'vacation-year-expired',
]);

export function isReservedSubject(value: string): boolean {
  return SUBJECTS.has(value);
}
