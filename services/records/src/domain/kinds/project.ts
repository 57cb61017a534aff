import { flag, text, textOrEmpty } from '@stechuhr/ingest/kinds';
import { z } from 'zod';
import { defineKind } from '../kind.js';

export const project = defineKind({
  name: 'project',
  schema: z.object({
    name: text.describe('Name.'),
    code: textOrEmpty.describe('Number or code.'),
    color: textOrEmpty.describe('Color in the apps, like #1f6feb.'),
    address: textOrEmpty.describe('Address of the site.'),
    cost_center: textOrEmpty.describe('Cost center.'),
    client: textOrEmpty.describe('Client.'),
    daily_reports_enabled: flag.describe('Whether daily reports are enabled; false if omitted.'),
    archived: flag.describe('Whether it is no longer in use; false if omitted.'),
  }),
});
