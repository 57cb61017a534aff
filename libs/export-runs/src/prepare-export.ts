import {
  namedCustomFields,
  neededParts,
  parseExportRequest,
  payrollWarnings,
  refuseUnencodableRows,
  selectStaff,
  settleStaff,
  writeExport,
  type ExportRequest,
  type ExportWarning,
  type NeededParts,
  type SkippedStaff,
  type StaffMember,
} from '@stechuhr/exporting';
import { measureRun } from './measure-run.js';
import { ExportProgress } from './progress.js';
import { readStaffRecords } from './read-staff-records.js';
import type { ExportSources } from './sources.js';

/** An export request. */
export interface ExportInput {
  readonly exporter: string;
  /** Query parameters, decoded once; for repeated parameters the last value. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** How long the texts of a task are checked, in milliseconds: proxies give up on an answer after a minute. */
const LOOK_MS = 15_000;

/** A validated export, ready to be written. */
export interface PreparedExport {
  readonly request: ExportRequest;
  /** Name of the format, without its options. */
  readonly format: string;
  /** Selected staff that are missing from the file. */
  readonly skipped: readonly SkippedStaff[];
  readonly progress: ExportProgress;
  /** Returns the warnings about a payroll file; may read absences. */
  warnings(): Promise<readonly ExportWarning[]>;
  /**
   * Checks texts of records for characters that the encoding of the file lacks: all texts of a synchronous request; those of a task for at most 15 s,
   * before it is started, since a task has no answer that could say so.
   * @throws AppError `invalid` naming the first texts that cannot be written
   */
  refuseUnencodable(): Promise<void>;
  /**
   * The body in chunks of about 64 KiB, to be read once. Records are read while it is consumed; leaving the loop ends the reading. A synchronous
   * request checks all texts before the first chunk, as `refuseUnencodable` does.
   */
  write(): AsyncGenerator<Uint8Array, void, undefined>;
}

/**
 * Reads the master data, validates the request and selects the staff. Time records are read while the file is written; before that, only
 * those of employees about whom nothing else decides.
 *
 * @throws AppError `invalid` with the problems of all parameters, `not_found` for an unknown exporter; see also `readDirectory`
 */
export async function prepareExport(sources: ExportSources, { exporter, parameters }: ExportInput): Promise<PreparedExport> {
  const needs = { projects: mayShowProjects({ exporter, parameters }), customFields: namedCustomFields(exporter, parameters) };
  const directory = await sources.records.readDirectory(needs);
  const request = parseExportRequest(exporter, parameters, directory);
  const read = (staff: readonly StaffMember[], parts: NeededParts) => readStaffRecords(sources, directory, staff, parts);
  const { sections, skipped } = await settleStaff(await selectStaff(request, directory), { request, directory, read });
  const progress = new ExportProgress(sections.reduce((total, staff) => total + staff.length, 0));
  const format = formatName(request.echo.export_format);
  const lookMs = request.isAsync ? LOOK_MS : Infinity;
  const refuseUnencodable = () => refuseUnencodableRows({ request, directory, sections, read, lookMs });
  return {
    request,
    format,
    skipped,
    progress,
    warnings: () => payrollWarnings({ request, directory, staff: sections[0] ?? [], skipped, read }),
    refuseUnencodable,
    async *write() {
      if (!request.isAsync) await refuseUnencodable();
      const sectionSources = request.sections.map((section, index) => {
        const staff = sections[index] ?? [];
        return { staff, records: progress.follow(read(staff, neededParts(section))) };
      });
      yield* measureRun(writeExport({ request, directory, sources: sectionSources, stats: progress }), { stats: progress, format });
    },
  };
}

/**
 * Whether an export may need projects: all types, columns and filters that use projects contain this word; the JSON of `multi` may escape
 * its letters.
 */
function mayShowProjects({ parameters }: ExportInput): boolean {
  return Object.values(parameters).some((value) => value.includes('project') || value.includes('\\u'));
}

function formatName(exportFormat: string): string {
  return exportFormat.split(':', 1).join();
}
