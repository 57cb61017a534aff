import { AppError } from '@stechuhr/kernel';

/** The client's message for an answer such as 503 or 429, which has no error class and no code. */
const REFUSED_FOR_NOW = /^Request failed after \d+ retries: .*HTTP status: \d{3}$/;

/** Rethrows what a call to the store threw; an answer that asks to retry later becomes an AppError `unavailable`. */
export function throwAsUnavailable(caught: unknown): never {
  if (caught instanceof Error && REFUSED_FOR_NOW.test(caught.message)) {
    throw new AppError('unavailable', 'The object store is not available.', { cause: caught });
  }
  throw caught;
}
