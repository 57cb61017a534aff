import { setImmediate } from 'node:timers/promises';
import type { ExportDirectory, StaffMember, StaffRecords } from './directory.js';
import { fittingColumns } from './encodings/fitting-columns.js';
import { envelopeOf } from './envelope.js';
import type { RowRun } from './formats/format.js';
import type { ExportRequest } from './request/export-request.js';
import { Row } from './row.js';
import { Timesheet, timesheetContext } from './timesheet.js';

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

/** How long rows are made before others get a turn: records that are all there already would never let go. */
const TURN_MS = 10;

/**
 * The body of the answer in chunks of about 64 KiB: the file, or the JSON envelope around it. Leaving the loop ends the reading of the
 * records; rows of more than one employee are never collected.
 *
 * @throws AppError `invalid` when a text cannot be written in the encoding asked for; the answer must then be broken off
 */
export async function* writeExport(job: ExportJob): AsyncGenerator<Uint8Array, void, undefined> {
  const { format, columns } = job.request;
  const { before, inside, after, encode } = envelopeOf(job.request);
  let pending = before;
  for await (const text of format.write(fittingColumns(columns, format.encoding), rowRuns(job))) {
    const chunk = pending + inside(text);
    pending = '';
    if (chunk.length > 0) yield encode(chunk);
  }
  if (after.length > 0) yield encode(after);
}

/** The rows of each employee whom the filters let pass, one employee at a time. */
async function* rowRuns(job: ExportJob): AsyncGenerator<RowRun, void, undefined> {
  const { request, directory, records } = job;
  const staff = new Map(job.staff.map((member) => [member.id, member]));
  const context = timesheetContext(directory, request.period);
  const filters = request.filters.filter((filter) => filter.scope === 'records');
  let turnEnds = performance.now() + TURN_MS;
  for await (const entry of records) {
    const member = staff.get(entry.employeeId);
    if (member === undefined) continue;
    const sheet = new Timesheet(member, entry, context);
    if (filters.every((filter) => filter.matches(sheet))) yield rowsOf(sheet, job);
    if (performance.now() < turnEnds) continue;
    await setImmediate();
    turnEnds = performance.now() + TURN_MS;
  }
}

function rowsOf(sheet: Timesheet, { request, directory, stats }: ExportJob): RowRun {
  const { staff } = sheet;
  const department = staff.departmentId === null ? null : (directory.departments.get(staff.departmentId) ?? null);
  return (emit) => {
    for (const type of request.types) {
      const row = new Row({ staff, department, type });
      type.write(sheet, row, (filled) => {
        if (request.skipZeroRows && filled.rounded === 0) return;
        if (stats !== undefined) stats.rows += 1;
        emit(filled);
      });
    }
  };
}
