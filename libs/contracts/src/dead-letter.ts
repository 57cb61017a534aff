import { z } from 'zod';

/** A dead letter: the stored form of a message that could not be processed (docs/rules/events.md#dead-letters). */
export const deadLetterSchema = z.object({
  subject: z.string().describe('The subject on which the message was published.'),
  reason: z.string().describe('Why it could not be handled. Like the message, it may contain names and texts of its publisher.'),
  deliveries: z
    .int()
    .nonnegative()
    .describe('Number of attempts, including those that an unavailable server or the end of a process interrupted.'),
  failed_at: z.iso.datetime().describe('Instant in UTC.'),
  payload: z.string().optional().describe('The message as text.'),
  payload_base64: z.string().optional().describe('The message, if it is not UTF-8 text.'),
  payload_truncated: z.literal(true).optional().describe('True if the message was too long to be stored as a whole.'),
});

/** The message on `stechuhr.dead.<origin>.<institution_id>.<part>`. */
export type DeadLetter = Readonly<z.infer<typeof deadLetterSchema>>;
