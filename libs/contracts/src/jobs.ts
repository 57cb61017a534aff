import { z } from 'zod';

/** The subject on which jobs of export tasks wait for a worker. */
export const exportJobSubject = 'stechuhr.jobs.export';

/** A job names its task; the worker gets everything else from `tasks` when it claims the job. */
export const exportJobSchema = z.object({ task_id: z.uuid(), institution_id: z.uuid().optional() });

/** The message on {@link exportJobSubject}. */
export type ExportJobMessage = z.infer<typeof exportJobSchema>;
