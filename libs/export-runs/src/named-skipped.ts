import type { SkippedStaff } from '@stechuhr/exporting';

/** The maximum size of the list of employees whom a file leaves out, in bytes: half of a message between services. */
const MAX_SKIPPED_BYTES = 4 * 1024 * 1024;
/** More than the tags, lengths and the id of an employee in a message. */
const BYTES_AN_EMPLOYEE = 100;

/**
 * Returns the first employees whom a file leaves out, as many as a task or a preflight can name; all of them are counted elsewhere. A longer list
 * would not reach the tasks service, so that the file would be written again and again and never be finished.
 */
export function namedSkipped(skipped: readonly SkippedStaff[]): readonly SkippedStaff[] {
  let left = MAX_SKIPPED_BYTES;
  const end = skipped.findIndex(({ name }) => (left -= BYTES_AN_EMPLOYEE + Buffer.byteLength(name)) < 0);
  return end === -1 ? skipped : skipped.slice(0, end);
}
