import { optionalText, text } from '@stechuhr/ingest/kinds';
import { z } from 'zod';
import { defineKind } from '../kind.js';

export const department = defineKind({
  name: 'department',
  schema: z.object({ name: text.describe('Name.'), cost_center: optionalText.describe('Cost center of payroll.') }),
});
