import { integer, nearDate, optionalDate, optionalNumber, uuid } from '@stechuhr/ingest/kinds';
import { onlyFor } from '@stechuhr/kernel';
import { z } from 'zod';
import { defineKind } from '../kind.js';

const MINUTES_A_DAY = 1440;
const MAX_HOURS = 1_000_000;
const SEVEN = 'must be a list of seven integers, Monday first';

export const contract = defineKind({
  name: 'contract',
  schema: z.object({
    employee_id: uuid.describe('Employee.'),
    valid_from: nearDate.describe('First day.'),
    valid_to: optionalDate.describe('Last day; null means open-ended.'),
    planned_minutes: z
      .array(integer(0, MINUTES_A_DAY), { error: SEVEN })
      .length(7, { ...onlyFor.lists, error: SEVEN })
      .describe('Planned minutes from Monday to Sunday.'),
    overtime_min_hours: optionalNumber(-MAX_HOURS, MAX_HOURS).describe('Lower end of the range of the overtime account.'),
    overtime_max_hours: optionalNumber(-MAX_HOURS, MAX_HOURS).describe('Upper end of the range of the overtime account.'),
  }),
  contradictions: ({ valid_from, valid_to, overtime_min_hours: min, overtime_max_hours: max }) => [
    ...(valid_to !== null && valid_to < valid_from ? ['valid_to lies before valid_from.'] : []),
    ...(min !== null && max !== null && min > max ? ['overtime_min_hours lies above overtime_max_hours.'] : []),
  ],
  references: ({ employee_id }) => [{ field: 'employee_id', kind: 'employee', id: employee_id }],
  announced: ({ employee_id }) => ({ employee_id }),
});
