import { z } from 'zod';
import { choiceField, dateField, integerField, nullable, uuidField } from './fields.js';

/** Every built-in check (spec, Check definition), in the order in which they are listed. */
export const checkCodes = [
  'incomplete-workday',
  'unfiled-absence',
  'pending-absence-application',
  'overlapping-workdays',
  'unbalanced-worktime',
  'future-workday',
  'insufficient-break',
  'excessive-daily-hours',
  'insufficient-rest-period',
  'excessive-weekly-hours',
  'zero-duration-timespan',
  'excessive-session-fragmentation',
  'overtime-account-out-of-range',
  'delayed-employee-edit',
] as const;

/** Query of a review run (spec, Reviews). */
export const reviewQuery = z.object({
  year: integerField({ minimum: 1970, maximum: 9999 }),
  month: integerField({ minimum: 1, maximum: 12 }),
});

/** Body of POST on suppression rules; that of PATCH may leave out any field. */
export const suppressionBody = z.object({
  code: choiceField(checkCodes),
  employee_id: nullable(uuidField()),
  valid_from: dateField(),
  valid_to: nullable(dateField()),
});
