import { S3Error } from 'minio';
import { AppError } from '@stechuhr/kernel';

/** The client's message for a response such as 503 or 429, for which it has neither an error class nor a code. */
const REFUSED_FOR_NOW = /^Request failed after \d+ retries: .*HTTP status: \d{3}$/;
/** Error codes of a store that temporarily refuses everything: until it has room, a clock is set, its keys are valid again, or its load decreases. */
const CODES = new Set([
  'InvalidAccessKeyId',
  'SignatureDoesNotMatch',
  'RequestTimeTooSkewed',
  'RequestTimeout',
  'SlowDown',
  'ServiceUnavailable',
  'InternalError',
  'XMinioStorageFull',
  // The bucket has reached its quota: in MinIO, and in Ceph.
  'XMinioAdminBucketQuotaExceeded',
  'QuotaExceeded',
]);

/** Rethrows an error of the store; a temporary one becomes an AppError `unavailable`. */
export function throwAsUnavailable(caught: unknown): never {
  const isForNow = caught instanceof Error && (REFUSED_FOR_NOW.test(caught.message) || hasCode(caught, CODES));
  throw isForNow ? unavailable(caught) : caught;
}

const UNEXPLAINED = new Set(['AccessDenied']);

/** The same for requests whose response has no body (HEAD), so that "access denied" is the only known reason. */
export function throwUnexplained(caught: unknown): never {
  if (hasCode(caught, UNEXPLAINED)) throw unavailable(caught);
  return throwAsUnavailable(caught);
}

function hasCode(caught: unknown, codes: ReadonlySet<string>): boolean {
  return caught instanceof S3Error && codes.has(caught.code ?? '');
}

function unavailable(cause: unknown): AppError {
  return new AppError('unavailable', 'The object store is not available.', { cause });
}
