import { contentType, fileName, neededParts, parseExportRequest, selectStaff, writeExport, type ExportStats } from '@stechuhr/exporting';
import { AppError } from '@stechuhr/kernel';
import { measureRun } from '../metrics.js';
import type { CallerBalances, CallerRecords, ExportEvents } from './ports.js';
import { readStaffRecords } from './read-staff-records.js';

export interface RunExportInput {
  readonly institutionId: string;
  readonly exporter: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** Validate and answer the header, run nothing. */
  readonly headerOnly: boolean;
}

export interface ExportHeader {
  readonly contentType: string;
  readonly fileName: string | undefined;
  readonly skipped: number;
}

export type ExportPart = { readonly header: ExportHeader } | { readonly chunk: Uint8Array };

interface Ports {
  readonly records: CallerRecords;
  readonly balances: CallerBalances;
  readonly events: ExportEvents;
}

/**
 * Runs a synchronous export: the header, then the body. The header waits for the first bytes, so that whatever fails until then is still
 * a proper error and not a broken connection.
 */
export async function* runExport(ports: Ports, input: RunExportInput): AsyncGenerator<ExportPart, void, undefined> {
  const { records, events } = ports;
  const directory = await records.readDirectory({ projects: mayShowProjects(input) });
  const request = parseExportRequest(input.exporter, input.parameters, directory);
  if (request.isAsync) throw new AppError('unimplemented', 'Asynchronous exports are not available yet.');
  const { sections, skipped } = selectStaff(request, directory);
  const header = { contentType: contentType(request), fileName: fileName(request), skipped: skipped.length };
  if (input.headerOnly) {
    yield { header };
    return;
  }
  const stats: ExportStats = { rows: 0 };
  const format = formatName(request.echo.export_format);
  const sources = request.sections.map((section, index) => {
    const staff = sections[index] ?? [];
    return { staff, records: readStaffRecords(ports, directory, staff, neededParts(section)) };
  });
  const chunks = measureRun(writeExport({ request, directory, sources, stats }), { stats, format });
  yield* headerWithFirstChunk(header, chunks);
  events.exportRan({ institutionId: input.institutionId, exporter: request.exporter, format, rows: stats.rows, skipped: skipped.length });
}

/** Every type, column and filter that looks at projects has the word in its name; the JSON of `multi` can spell it in other ways. */
function mayShowProjects({ exporter, parameters }: RunExportInput): boolean {
  return exporter !== 'generic' || Object.values(parameters).some((value) => value.includes('project'));
}

function formatName(exportFormat: string): string {
  return exportFormat.split(':', 1).join();
}

async function* headerWithFirstChunk(
  header: ExportHeader,
  chunks: AsyncGenerator<Uint8Array, void, undefined>,
): AsyncGenerator<ExportPart, void, undefined> {
  try {
    let next = await chunks.next();
    yield { header };
    while (!next.done) {
      yield { chunk: next.value };
      next = await chunks.next();
    }
  } finally {
    await chunks.return();
  }
}
