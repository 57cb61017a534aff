import { S3Error } from 'minio';
import { AppError } from '@stechuhr/kernel';

/** Matches the client's error message for a response such as 503 or 429, which has no error class and no code. */
const REFUSED_FOR_NOW = /^Request failed after \d+ retries: .*HTTP status: \d{3}$/;
/**
 * Error codes of temporary failures: the storage is full, clocks differ, the credentials are not valid (any more), or the store is
 * overloaded.
 */
const CODES = new Set([
  'InvalidAccessKeyId',
  'SignatureDoesNotMatch',
  'RequestTimeTooSkewed',
  'RequestTimeout',
  'SlowDown',
  // Too few drives can be read or written at the moment (MinIO).
  'SlowDownRead',
  'SlowDownWrite',
  'ServiceUnavailable',
  'InternalError',
  'XMinioStorageFull',
  // The bucket has reached its quota (MinIO and Ceph).
  'XMinioAdminBucketQuotaExceeded',
  'QuotaExceeded',
]);

/** Rethrows the error of a call to the store; a temporary failure becomes an AppError `unavailable`. */
export function throwAsUnavailable(caught: unknown): never {
  const isForNow = (caught instanceof Error && REFUSED_FOR_NOW.test(caught.message)) || hasCode(caught, CODES);
  throw isForNow ? unavailable(caught) : caught;
}

const UNEXPLAINED = new Set(['AccessDenied']);

/** Like {@link throwAsUnavailable}, for HEAD requests: their responses have no body, so every refusal appears as "access denied". */
export function throwUnexplained(caught: unknown): never {
  if (hasCode(caught, UNEXPLAINED)) throw unavailable(caught);
  return throwAsUnavailable(caught);
}

/** Returns the error for objects that a request with status 200 has not removed: temporary if all of its refusals are, otherwise the given one. */
export function errorOfRefusals(refusals: readonly unknown[], lasting: Error): Error {
  return refusals.every((refusal) => hasCode(refusal, CODES)) ? unavailable(refusals[0]) : lasting;
}

function hasCode(caught: unknown, codes: ReadonlySet<string>): boolean {
  return codes.has((caught instanceof S3Error ? caught.code : codeInBody(caught)) ?? '');
}

/**
 * Returns the code of an error in the body of a response with status 200, with which S3 begins its response before a copy, or the assembly of
 * an upload, has succeeded, and with which it names each object that it has not removed. The client throws or returns it as it is.
 */
function codeInBody(caught: unknown): string | undefined {
  const isBody = typeof caught === 'object' && caught !== null && 'Code' in caught && typeof caught.Code === 'string';
  return isBody ? (caught.Code as string) : undefined;
}

function unavailable(cause: unknown): AppError {
  return new AppError('unavailable', 'The object store is not available.', { cause });
}
