import { stockFields } from '@stechuhr/kernel';
import { z } from 'zod';
import { integerField, nullable } from './fields.js';

const { choice, date, uuid } = stockFields;

/** All built-in checks, in the order in which they are listed (spec, Check definition). */
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
  year: integerField({ min: 1970, max: 9999 }),
  month: integerField({ min: 1, max: 12 }),
});

/** Body of POST on suppression rules; PATCH may omit any field. */
export const suppressionBody = z.object({
  code: choice(...checkCodes),
  employee_id: nullable(uuid()),
  valid_from: date(),
  valid_to: nullable(date()),
});
