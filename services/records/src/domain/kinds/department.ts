import { z } from 'zod';
import { optionalText, text } from '../fields/texts.js';
import { defineKind } from '../kind.js';

export const department = defineKind({
  name: 'department',
  schema: z.object({ name: text, cost_center: optionalText }),
});
