import { queuesOfDeletion } from '@stechuhr/bus';
import { cloudEventSchema, exportJobSubject, ingestSubject, parseIngestSubject } from '@stechuhr/contracts';
import { z } from 'zod';

/** No worker would run the job of a task in error; that of an open task is published again by the tasks service. */
const JOBS_ARE_NOT_SENT =
  'Its task has ended in error, and sending the job would not run it again. Its account can delete the task and start the export again.';

const objectSchema = z.object({ institution_id: z.string(), kind: z.string() });

/**
 * The subject on which a dead letter may be published again.
 *
 * A dead letter contains what its sender wrote, whereas a retry runs with the operator's rights. Therefore the subject must be one that a message
 * with this content may legitimately have been published on: a live object of the same institution and kind, or a deletion in its queue.
 */
export function retryTarget(subject: string, payload: Uint8Array): { readonly subject: string } | { readonly refusal: string } {
  const content = jsonOf(payload);
  if (subject === exportJobSubject) return { refusal: JOBS_ARE_NOT_SENT };
  if (subject.startsWith('stechuhr.deletions.')) {
    const { data: event } = cloudEventSchema.safeParse(content);
    const isQueued = event !== undefined && queuesOfDeletion(event).some((queue) => queue.subject === subject);
    return isQueued ? { subject } : { refusal: `Its message is not a deletion that matches its subject ${subject}.` };
  }
  const origin = parseIngestSubject(subject);
  if (origin === undefined) return { refusal: `Only live objects and deletions are sent again; its subject is ${subject}.` };
  const object = objectSchema.safeParse(content);
  if (!object.success) return { refusal: 'Its message names no institution and kind.' };
  const { institution_id: institutionId, kind } = object.data;
  if (institutionId.toLowerCase() !== origin.institutionId.toLowerCase() || kind !== origin.kind) {
    return { refusal: `Its message belongs to ${institutionId} and ${kind}, which does not match its subject ${subject}.` };
  }
  return { subject: ingestSubject(origin.institutionId, origin.kind) };
}

function jsonOf(payload: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(payload).toString('utf8'));
  } catch {
    return undefined;
  }
}
