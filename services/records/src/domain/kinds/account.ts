import { list, MAX_IDS, oneOf, optionalList, text, uuid } from '@stechuhr/ingest/kinds';
import { z } from 'zod';
import { defineKind } from '../kind.js';

/** A user of the API: what the account sees follows from its role and its lists. */
export const account = defineKind({
  name: 'account',
  schema: z.object({
    first_name: text,
    last_name: text,
    email: text,
    role: oneOf('admin', 'manager', 'department_leader'),
    department_ids: list(uuid, MAX_IDS),
    project_ids: optionalList(uuid, MAX_IDS),
  }),
  references: ({ department_ids, project_ids }) => [
    ...department_ids.map((id) => ({ field: 'department_ids', kind: 'department' as const, id })),
    ...(project_ids ?? []).map((id) => ({ field: 'project_ids', kind: 'project' as const, id })),
  ],
});
