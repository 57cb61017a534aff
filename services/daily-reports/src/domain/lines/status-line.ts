import { comment, date, defineKind, localDateTime, oneOf, uuid } from '@stechuhr/ingest/kinds';
import { z } from 'zod';
import { reportStatuses } from '../report.js';

const schema = z
  .object({
    tag_id: uuid.describe('Project.'),
    date: date.describe('Day of the report.'),
    status: oneOf(...reportStatuses).describe('The new status.'),
    actor_id: uuid.describe('Account that changed it.'),
    at: localDateTime.describe('Time of the change, local time.'),
    reason: comment.describe('Reason for the change.'),
  })
  .transform(({ tag_id: tagId, actor_id: actorId, at, ...line }) => ({ tagId, actorId, at: at.instant, ...line }));

/** The content of a status line. */
export type StatusLine = z.output<typeof schema>;

/** Status changes of an institution are written in order, because each one depends on the ones before; such lines are few. */
export const statusKind = defineKind({
  name: 'daily_report_status',
  order: 'institution',
  isAppendOnly: true,
  schema,
  references: ({ tagId, actorId }) => [
    { field: 'tag_id', kind: 'project', id: tagId },
    { field: 'actor_id', kind: 'account', id: actorId },
  ],
});
