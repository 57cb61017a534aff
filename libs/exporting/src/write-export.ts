import { EventLoopBreaks } from '@stechuhr/kernel';
import { departmentOf, type ExportDirectory, type StaffMember, type StaffRecords } from './directory.js';
import { encodableColumns } from './encodings/encodable-columns.js';
import { envelopeOf } from './envelope.js';
import type { RowRun, Section } from './formats/format.js';
import type { ExportRequest, SectionRequest } from './request/export-request.js';
import { Row } from './row.js';
import { leavesOut } from './row-types/row-type.js';
import { Timesheet, timesheetContext } from './timesheet.js';

/** Far less than a message may have (8 MiB). */
const MAX_CHUNK_BYTES = 1024 * 1024;

/** Statistics of an export, updated while it runs. */
export interface ExportStats {
  /** Rows written so far, without header rows. */
  rows: number;
}

/** The source of a section of an export. */
export interface SectionSource {
  /** Its staff, from `selectStaff`. */
  readonly staff: readonly StaffMember[];
  /**
   * The records of each employee, in order. Employees without records (deleted meanwhile) have no rows. Read when the section is reached.
   */
  readonly records: AsyncIterable<StaffRecords>;
}

/** The input of an export. */
export interface ExportJob {
  readonly request: ExportRequest;
  readonly directory: ExportDirectory;
  /** One source for each section of the request. */
  readonly sources: readonly SectionSource[];
  readonly stats?: ExportStats;
}

/**
 * Yields the body of the response in chunks of about 64 KiB: the file, or the JSON envelope around it. Leaving the loop stops reading
 * records. The rows of more than one employee are never buffered.
 *
 * @throws AppError `invalid` if a text cannot be written in the requested encoding; the response must then be aborted
 */
export async function* writeExport(job: ExportJob): AsyncGenerator<Uint8Array, void, undefined> {
  const { format } = job.request;
  const sections = sectionsOf(job);
  if (format.content === 'binary') {
    yield* format.write(sections);
    return;
  }
  const { before, inside, after, encode } = envelopeOf(job.request, format);
  let pending = before;
  for await (const text of format.write(sections)) {
    const chunk = pending + inside(text);
    pending = '';
    if (chunk.length > 0) yield* piecesOf(encode(chunk));
  }
  if (after.length > 0) yield encode(after);
}

/** Splits a chunk that is too large for a message between services: a single row may have megabytes. */
function* piecesOf(chunk: Uint8Array): Generator<Uint8Array, void, undefined> {
  for (let at = 0; at < chunk.length; at += MAX_CHUNK_BYTES) yield chunk.subarray(at, at + MAX_CHUNK_BYTES);
}

function sectionsOf({ request, directory, sources, stats }: ExportJob): readonly Section[] {
  return request.sections.flatMap((section, index) => {
    const source = sources[index];
    if (source === undefined) return [];
    const { title, firstRow, columns } = section;
    const runs = rowRuns({ section, directory, source, stats });
    return { title, firstRow, columns: encodableColumns(columns, request.format.encoding), runs };
  });
}

interface SectionJob {
  readonly section: SectionRequest;
  readonly directory: ExportDirectory;
  readonly source: SectionSource;
  readonly stats: ExportStats | undefined;
}

/** Yields the rows of each employee who matches the filters, one employee at a time. */
async function* rowRuns(job: SectionJob): AsyncGenerator<RowRun, void, undefined> {
  const { section, directory, source } = job;
  const staff = new Map(source.staff.map((member) => [member.id, member]));
  const context = timesheetContext(directory, section.period);
  const filters = section.filters.filter((filter) => filter.scope === 'records');
  const breaks = new EventLoopBreaks();
  for await (const entry of source.records) {
    const member = staff.get(entry.employeeId);
    if (member === undefined) continue;
    const sheet = new Timesheet(member, entry, context);
    if (filters.every((filter) => filter.matches(sheet))) yield rowsOf(sheet, job);
    if (breaks.isDue) await breaks.take();
  }
}

function rowsOf(sheet: Timesheet, { section, directory, stats }: SectionJob): RowRun {
  const { staff } = sheet;
  const department = departmentOf(staff, directory);
  return (emit) => {
    for (const type of section.types) {
      const row = new Row({ staff, department, type });
      type.write(sheet, row, (filled) => {
        if (leavesOut(section, type, filled)) return;
        if (stats !== undefined) stats.rows += 1;
        emit(filled);
      });
    }
  };
}
