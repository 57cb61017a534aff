import { nearDate, oneOf, optionalNumber, text, uuid } from '@stechuhr/ingest/kinds';
import { z } from 'zod';
import { defineKind } from '../kind.js';
import { absenceReferences, announcedDays, impossibleDays } from './absence-days.js';

const HOURS_A_DAY = 24;

export const absence = defineKind({
  name: 'absence',
  schema: z.object({
    employee_id: uuid.describe('Employee.'),
    missing_type: text.describe('Absence type of the institution.'),
    starts_on: nearDate.describe('First day.'),
    ends_on: nearDate.describe('Last day.'),
    day_part: oneOf(1, 0.5).describe('1 for whole days, 0.5 for half days.'),
    hours_per_day: optionalNumber(0, HOURS_A_DAY).describe('Hours per day; null means as planned by the contract.'),
  }),
  contradictions: impossibleDays,
  references: absenceReferences,
  announced: announcedDays,
});
