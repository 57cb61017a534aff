import { instant, nearDate, oneOf, text, uuid } from '@stechuhr/ingest/kinds';
import { z } from 'zod';
import { defineKind } from '../kind.js';
import { absenceReferences, impossibleDays } from './absence-days.js';

export const absenceApplication = defineKind({
  name: 'absence_application',
  schema: z.object({
    employee_id: uuid,
    missing_type: text,
    starts_on: nearDate,
    ends_on: nearDate,
    status: oneOf('pending', 'approved', 'declined'),
    created_at: instant,
  }),
  contradictions: impossibleDays,
  references: absenceReferences,
});
