import { autofill, photos } from './daily-reports.js';
import type { Client } from './client-tools.js';
import { exportsAtOnce, tasks } from './exports.js';
import { imports } from './imports.js';
import { people, projects } from './live-objects.js';
import { rules } from './rules.js';
import { suppressions } from './suppressions.js';
import { webhooks } from './webhooks.js';

/** All clients: one for each way of writing, one that reads, and one that receives webhooks. */
export const clients: readonly Client[] = [
  ...[rules, suppressions, projects, people],
  ...[exportsAtOnce, tasks, autofill, photos, imports, webhooks],
];
