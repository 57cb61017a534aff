import { AppError } from '@stechuhr/kernel';

/**
 * The maximum size of the master data of one export, in bytes; it is in memory until the file is written. Without custom fields, a hundred
 * thousand employees have less.
 */
const MAX_DIRECTORY_BYTES = 48 * 1024 * 1024;

const BYTES_OF_OBJECT = 80;
const BYTES_OF_TEXT = 20;

/** Reserves memory for master data. @throws AppError `rate_limited` if there is none */
export type Reserve = (bytes: number) => void;

/**
 * Limits the size of the master data of an export.
 *
 * @returns a function to call with each record; it throws AppError `invalid` when they become too large for one export
 */
export function directoryRoom(reserve: Reserve): (record: object) => void {
  let left = MAX_DIRECTORY_BYTES;
  return (record) => {
    const bytes = bytesOf(record);
    left -= bytes;
    if (left < 0) throw tooLarge();
    reserve(bytes);
  };
}

function tooLarge(): AppError {
  const max = String(MAX_DIRECTORY_BYTES);
  return AppError.invalid({
    non_field_errors: [`The master data of the export has more than ${max} bytes. Show and filter by fewer custom fields.`],
  });
}

/** Estimates how much memory a record takes. */
function bytesOf(record: object): number {
  let bytes = BYTES_OF_OBJECT;
  for (const value of Object.values(record) as unknown[]) {
    if (typeof value === 'string') bytes += BYTES_OF_TEXT + value.length;
    else if (typeof value === 'object' && value !== null) bytes += bytesOf(value);
  }
  return bytes;
}
