import { date, instant, oneOf, text, uuid } from '@stechuhr/ingest/kinds';
import { z } from 'zod';
import { defineKind } from '../kind.js';
import { absenceReferences, endsBeforeStart } from './absence-days.js';

export const absenceApplication = defineKind({
  name: 'absence_application',
  schema: z.object({
    employee_id: uuid,
    missing_type: text,
    starts_on: date,
    ends_on: date,
    status: oneOf('pending', 'approved', 'declined'),
    created_at: instant,
  }),
  contradictions: endsBeforeStart,
  references: absenceReferences,
});
