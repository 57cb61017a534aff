import { list, MAX_IDS, oneOf, optionalList, text, uuid } from '@stechuhr/ingest/kinds';
import { z } from 'zod';
import { defineKind } from '../kind.js';

/** A user of the API; role and lists of the account decide what it may see. */
export const account = defineKind({
  name: 'account',
  schema: z.object({
    first_name: text.describe('First name.'),
    last_name: text.describe('Last name.'),
    email: text.describe('Email address.'),
    role: oneOf('admin', 'manager', 'department_leader').describe(
      'What it may see: admin and manager all employees, department_leader those of its departments.',
    ),
    department_ids: list(uuid, MAX_IDS).describe('Departments of a department leader.'),
    project_ids: optionalList(uuid, MAX_IDS).describe('Projects that it may see; null for all.'),
  }),
  references: ({ department_ids, project_ids }) => [
    ...department_ids.map((id) => ({ field: 'department_ids', kind: 'department' as const, id })),
    ...(project_ids ?? []).map((id) => ({ field: 'project_ids', kind: 'project' as const, id })),
  ],
});
