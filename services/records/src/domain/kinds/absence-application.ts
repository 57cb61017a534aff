import { instant, nearDate, oneOf, text, uuid } from '@stechuhr/ingest/kinds';
import { z } from 'zod';
import { defineKind } from '../kind.js';
import { absenceReferences, announcedDays, impossibleDays } from './absence-days.js';

export const absenceApplication = defineKind({
  name: 'absence_application',
  schema: z.object({
    employee_id: uuid.describe('Employee.'),
    missing_type: text.describe('Absence type of the institution.'),
    starts_on: nearDate.describe('First day.'),
    ends_on: nearDate.describe('Last day.'),
    status: oneOf('pending', 'approved', 'declined').describe('State of the application.'),
    created_at: instant.describe('Time of creation, local time.'),
  }),
  contradictions: impossibleDays,
  references: absenceReferences,
  announced: announcedDays,
});
