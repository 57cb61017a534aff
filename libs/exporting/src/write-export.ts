import type { ExportDirectory, StaffMember, StaffRecords } from './directory.js';
import type { ExportRequest } from './request/export-request.js';

/** Figures of a running export, written while it runs. */
export interface ExportStats {
  /** Rows written so far, without header rows. */
  rows: number;
}

/** All that an export is made of. */
export interface ExportJob {
  readonly request: ExportRequest;
  readonly directory: ExportDirectory;
  /** The included staff of `selectStaff`. */
  readonly staff: readonly StaffMember[];
  /** One for each of the staff, in their order; who is missing (deleted meanwhile) gives no rows. */
  readonly records: AsyncIterable<StaffRecords>;
  readonly stats?: ExportStats;
}

/**
 * The body of the answer in chunks of about 64 KiB: the file, or the JSON envelope around it. Leaving the loop ends the reading of the
 * records; rows of more than one employee are never collected.
 *
 * @throws AppError `invalid` when a text cannot be written in the encoding asked for; the answer must then be broken off
 */
export async function* writeExport(_job: ExportJob): AsyncGenerator<Uint8Array, void, undefined> {
  await Promise.resolve();
}
