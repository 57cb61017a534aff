import { AppError } from '@stechuhr/kernel';
import type { DirectoryNeeds } from './sources.js';

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
 * @param needs what the export reads, which determines the advice of the error
 * @returns a function to call with each record; it throws AppError `invalid` when they become too large for one export
 */
export function directoryRoom(needs: DirectoryNeeds, reserve: Reserve): (record: object) => void {
  let left = MAX_DIRECTORY_BYTES;
  return (record) => {
    const bytes = bytesOf(record);
    left -= bytes;
    if (left < 0) throw tooLarge(needs);
    reserve(bytes);
  };
}

/** The error names only what makes this export smaller. `employee_ids` does not: all employees are read before it is validated. */
function tooLarge({ projects, customFields }: DirectoryNeeds): AppError {
  const advice = [
    `The master data of the export has more than ${String(MAX_DIRECTORY_BYTES)} bytes.`,
    ...(customFields.size > 0 ? ['Show and filter by fewer custom fields.'] : []),
    ...(projects ? ['Leave out projects.'] : []),
    'Use the token of an account that sees fewer departments.',
  ];
  return AppError.invalid({ non_field_errors: [advice.join(' ')] });
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
