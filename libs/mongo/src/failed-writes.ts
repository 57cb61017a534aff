import { AppError } from '@stechuhr/kernel';
import { mongo } from 'mongoose';

const DUPLICATE_KEY = 11_000;

/** Whether a write failed because another document has the same value under a unique index. */
export function isDuplicateKey(caught: unknown): boolean {
  return caught instanceof Error && 'code' in caught && caught.code === DUPLICATE_KEY;
}

/** One write of an unordered bulk write that failed. */
export interface FailedWrite {
  /** Its place among the writes. */
  readonly index: number;
  readonly isDuplicateKey: boolean;
}

/**
 * Returns which writes of an unordered bulk write failed; the others were made.
 * @throws what was caught if it failed as a whole, for example because the server is unavailable
 */
export function failedWritesOf(caught: unknown): readonly FailedWrite[] {
  if (!(caught instanceof mongo.MongoBulkWriteError)) throw caught;
  const errors = [caught.writeErrors].flat();
  // An error without failed writes wraps the error of the driver. Only that one shows whether the server is unavailable.
  if (errors.length === 0) throw AppError.from(caught.errorResponse);
  return errors.map(({ index, code }) => ({ index, isDuplicateKey: code === DUPLICATE_KEY }));
}
