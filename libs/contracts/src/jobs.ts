import { z } from 'zod';

/** Where the jobs of export tasks wait for a worker. */
export const exportJobSubject = 'stechuhr.jobs.export';

/** A job says which task it is of; everything else is asked of `tasks` when a worker claims it. */
export const exportJobSchema = z.object({ task_id: z.uuid() });

/** The message on {@link exportJobSubject}. */
export type ExportJobMessage = z.infer<typeof exportJobSchema>;
