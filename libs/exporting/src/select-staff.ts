import type { ExportDirectory, StaffMember } from './directory.js';
import type { ExportRequest } from './request/export-request.js';

/** Why somebody whom the request selects is not in the file. */
export type SkipReason = 'archived' | 'left' | 'no-accounting-number';

/** Somebody whom the request selects and the file leaves out. */
export interface SkippedStaff {
  readonly id: string;
  /** First name, space, last name. */
  readonly name: string;
  readonly reason: SkipReason;
}

/** Whose records to read, in the order of the rows, and who is left out. */
export interface SelectedStaff {
  readonly included: readonly StaffMember[];
  readonly skipped: readonly SkippedStaff[];
}

/**
 * Chooses the staff of a request. Filters on records (`project`, `missing-type`) are applied later, while their records pass.
 *
 * @throws AppError `invalid` when a name or department cannot be written in the encoding asked for, so that nothing has been answered yet
 */
export function selectStaff(_request: ExportRequest, directory: ExportDirectory): SelectedStaff {
  return { included: directory.staff, skipped: [] };
}
