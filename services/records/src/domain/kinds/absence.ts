import { nearDate, oneOf, optionalNumber, text, uuid } from '@stechuhr/ingest/kinds';
import { z } from 'zod';
import { defineKind } from '../kind.js';
import { absenceReferences, impossibleDays } from './absence-days.js';

const HOURS_A_DAY = 24;

export const absence = defineKind({
  name: 'absence',
  schema: z.object({
    employee_id: uuid,
    missing_type: text,
    starts_on: nearDate,
    ends_on: nearDate,
    day_part: oneOf(1, 0.5),
    hours_per_day: optionalNumber(0, HOURS_A_DAY),
  }),
  contradictions: impossibleDays,
  references: absenceReferences,
});
