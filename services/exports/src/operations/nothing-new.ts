import { AppError } from '@stechuhr/kernel';

/** The answer to whoever may only see what is there already. */
export function nothingNew(): AppError {
  return new AppError('rate_limited', 'Request was throttled.');
}
