import { S3Error } from 'minio';
import { AppError } from '@stechuhr/kernel';

/** The client's message for an answer such as 503 or 429, which has no error class and no code. */
const REFUSED_FOR_NOW = /^Request failed after \d+ retries: .*HTTP status: \d{3}$/;
/** What a store says that does nothing for us at all: until it has room, a clock is set, its keys are ours again, or it has less to do. */
const CODES = new Set([
  'InvalidAccessKeyId',
  'SignatureDoesNotMatch',
  'RequestTimeTooSkewed',
  'RequestTimeout',
  'SlowDown',
  'ServiceUnavailable',
  'InternalError',
  'XMinioStorageFull',
  // The bucket has reached its quota: of MinIO, and of Ceph.
  'XMinioAdminBucketQuotaExceeded',
  'QuotaExceeded',
]);

/** Rethrows what a call to the store threw; an answer that may be another one later becomes an AppError `unavailable`. */
export function throwAsUnavailable(caught: unknown): never {
  const isForNow = caught instanceof Error && (REFUSED_FOR_NOW.test(caught.message) || hasCode(caught, CODES));
  throw isForNow ? unavailable(caught) : caught;
}

const UNEXPLAINED = new Set(['AccessDenied']);

/** The same for a request whose answer has no body (HEAD), and so no other reason than that access was denied. */
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
