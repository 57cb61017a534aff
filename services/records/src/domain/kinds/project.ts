import { flag, text, textOrEmpty } from '@stechuhr/ingest/kinds';
import { z } from 'zod';
import { defineKind } from '../kind.js';

export const project = defineKind({
  name: 'project',
  schema: z.object({
    name: text,
    code: textOrEmpty,
    color: textOrEmpty,
    address: textOrEmpty,
    cost_center: textOrEmpty,
    client: textOrEmpty,
    daily_reports_enabled: flag,
    archived: flag,
  }),
});
