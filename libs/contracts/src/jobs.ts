import { z } from 'zod';
import { importedId } from './imported-id.js';

/** The subject of the jobs of export tasks. */
export const exportJobSubject = 'stechuhr.jobs.export';

/** A job contains the id of its task; the worker gets everything else from `tasks` when it claims the job. */
export const exportJobSchema = z.object({ task_id: z.uuid(), institution_id: importedId().optional() });

/** The message on {@link exportJobSubject}. */
export type ExportJobMessage = z.infer<typeof exportJobSchema>;
