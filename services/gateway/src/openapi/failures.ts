import { z } from 'zod';
import { integer, text } from './values.js';

/** The body of an error that concerns a request as a whole. */
const detail: z.ZodType = z.object({ detail: text('The problem in one sentence.') }).meta({
  id: 'Detail',
  description: 'An error that concerns the request as a whole.',
});

const elementErrors = z.record(z.string(), z.unknown()).meta({
  id: 'ElementErrors',
  description: 'Problems of one object in a list, by field; empty if the object has none.',
});

/** The body of an error with problems by field. For a list of objects, the problems have the positions of the objects. */
const fieldErrors: z.ZodType = z.record(z.string(), z.array(z.union([z.string(), elementErrors]))).meta({
  id: 'FieldErrors',
  description:
    'All problems of a request, by parameter or field. `non_field_errors` contains problems that concern several fields; `$query` contains ' +
    'problems with `order`. For a list of objects, the value contains the problems of each object, at the same position as the object.',
});

/** An error response that several operations share. */
export interface Failure {
  /** Its name among the shared responses of the document. */
  readonly id?: string;
  readonly description: string;
  readonly schema: z.ZodType;
  readonly example: object;
  readonly headers?: z.ZodObject;
}

const detailFailure = (id: string, description: string, sentence: string): Failure => ({
  id,
  description,
  schema: detail,
  example: { detail: sentence },
});

const retryAfter = z.object({ 'Retry-After': integer('Number of seconds to wait before the next request.') });

const statuses = [400, 401, 403, 404, 406, 413, 415, 429, 500, 503] as const;

/** The failures by status (docs/rules/api.md#errors). */
export const failures: Readonly<Record<(typeof statuses)[number], Failure>> = {
  400: {
    description: 'Parameters or fields are invalid, or the body is not JSON.',
    schema: z.union([detail, fieldErrors]),
    example: { detail: 'JSON parse error - Unexpected end of JSON input' },
  },
  401: {
    ...detailFailure('Unauthenticated', 'The token is missing or invalid.', 'Invalid token.'),
    headers: z.object({ 'WWW-Authenticate': z.string().meta({ description: '`Token`' }) }),
  },
  403: detailFailure(
    'Forbidden',
    'The token lacks the required scope, or its account lacks the required role.',
    'You do not have permission to perform this action.',
  ),
  404: detailFailure('NotFound', 'No record has this id, or the account may not see it.', 'Not found.'),
  406: detailFailure('NotAcceptable', 'The Accept header excludes JSON.', 'Could not satisfy the request Accept header.'),
  413: detailFailure('TooLarge', 'The body is larger than 1 MiB.', 'Request entity too large.'),
  415: detailFailure('UnsupportedMediaType', 'The body is not JSON in UTF-8.', 'Unsupported media type "text/plain" in request.'),
  429: {
    ...detailFailure(
      'Throttled',
      'Too many requests, or too many exports or large bodies and responses at the same time.',
      'Request was throttled. Expected available in 12 seconds.',
    ),
    headers: retryAfter,
  },
  500: detailFailure(
    'Defect',
    'An internal error. The log contains its cause under the `X-Request-Id` of the response.',
    'A server error occurred.',
  ),
  503: {
    ...detailFailure(
      'Unavailable',
      'A service behind the API is unavailable, or too many requests are under way.',
      'The service is unavailable. Try again.',
    ),
    headers: retryAfter,
  },
};
