import { integer, optionalInteger, uuid } from '@stechuhr/ingest/kinds';
import { z } from 'zod';
import { defineKind } from '../kind.js';

const MAX_MINUTES = 2_147_483_647;

/** Data about a month as a whole; its workdays are separate records. */
export const workmonth = defineKind({
  name: 'workmonth',
  excludesOthers: true,
  schema: z.object({
    employee_id: uuid.describe('Employee.'),
    year: integer(1970, 9999).describe('Year.'),
    month: integer(1, 12).describe('Month.'),
    opening_balance_minutes: optionalInteger(-MAX_MINUTES, MAX_MINUTES).describe('Overtime account when the month begins.'),
  }),
  references: ({ employee_id }) => [{ field: 'employee_id', kind: 'employee', id: employee_id }],
  announced: ({ employee_id, year, month }) => ({ employee_id, year, month }),
  placement: ({ employee_id, year, month }) => ({ employeeId: employee_id, year, month }),
});
