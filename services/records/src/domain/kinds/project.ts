import { z } from 'zod';
import { text, textOrEmpty } from '../fields/texts.js';
import { flag } from '../fields/values.js';
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
