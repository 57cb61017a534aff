import { z } from 'zod';
import { text } from './values.js';

/** An error about a request as a whole. */
export const detail: z.ZodType = z.object({ detail: text('The problem in one sentence.') }).meta({
  id: 'Detail',
  description: 'An error of the request as a whole.',
});

/** Problems by field; a list of configurations keeps their positions. */
export const fieldErrors: z.ZodType = z.record(z.string(), z.array(z.union([z.string(), z.record(z.string(), z.unknown())]))).meta({
  id: 'FieldErrors',
  description:
    'Problems by parameter or field, all of a request together; `non_field_errors` concern several fields, `$query` concerns `order`. ' +
    'For a list of objects, it is a list of their problems, position by position.',
});
