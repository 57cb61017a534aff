import { integer, nearDate, optionalDate, optionalNumber, uuid } from '@stechuhr/ingest/kinds';
import { z } from 'zod';
import { defineKind } from '../kind.js';

const MINUTES_A_DAY = 1440;
const MAX_HOURS = 1_000_000;
const SEVEN = 'must be a list of seven integers, Monday first';

export const contract = defineKind({
  name: 'contract',
  schema: z.object({
    employee_id: uuid,
    valid_from: nearDate,
    valid_to: optionalDate,
    planned_minutes: z.array(integer(0, MINUTES_A_DAY), { error: SEVEN }).length(7, { error: SEVEN }),
    overtime_min_hours: optionalNumber(-MAX_HOURS, MAX_HOURS),
    overtime_max_hours: optionalNumber(-MAX_HOURS, MAX_HOURS),
  }),
  contradictions: ({ valid_from, valid_to }) => (valid_to !== null && valid_to < valid_from ? ['valid_to lies before valid_from.'] : []),
  references: ({ employee_id }) => [{ field: 'employee_id', kind: 'employee', id: employee_id }],
});
