import { z } from 'zod';
import { text } from './values.js';

/** What is said about a request as a whole. */
export const detail: z.ZodType = z.object({ detail: text('What is wrong, in a sentence.') }).meta({
  id: 'Detail',
  description: 'An error of the request as a whole.',
});

/** Problems by field; a list of configurations keeps their positions. */
export const fieldErrors: z.ZodType = z.record(z.string(), z.array(z.union([z.string(), z.record(z.string(), z.unknown())]))).meta({
  id: 'FieldErrors',
  description:
    'Problems by parameter or field, all of a request together; `non_field_errors` are about several fields, `$query` is about the order. ' +
    'In place of a list of objects stands a list of their problems, position by position.',
});
