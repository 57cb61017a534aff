import { AppError } from '@stechuhr/kernel';

/** The error for a caller whose limit is used up, when there is no existing task. */
export function nothingNew(): AppError {
  return new AppError('rate_limited', 'Request was throttled.');
}
