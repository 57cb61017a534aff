import { prepareExport, type ExportInput, type ExportSources } from '@stechuhr/export-runs';
import { contentType, fileName } from '@stechuhr/exporting';
import { AppError } from '@stechuhr/kernel';
import type { ExportEvents } from './ports.js';

export interface RunExportInput extends ExportInput {
  readonly institutionId: string;
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
  readonly sources: ExportSources;
  readonly events: ExportEvents;
}

/**
 * Runs a synchronous export: the header, then the body. The header waits for the first bytes, so that whatever fails until then is still
 * a proper error and not a broken connection.
 */
export async function* runExport(ports: Ports, input: RunExportInput): AsyncGenerator<ExportPart, void, undefined> {
  const run = await prepareExport(ports.sources, input);
  const { request, skipped, format, progress } = run;
  if (request.isAsync) throw new AppError('unimplemented', 'Asynchronous exports are not available yet.');
  const header = { contentType: contentType(request), fileName: fileName(request), skipped: skipped.length };
  if (input.headerOnly) {
    yield { header };
    return;
  }
  yield* headerWithFirstChunk(header, run.write());
  const { institutionId, exporter } = input;
  ports.events.exportRan({ institutionId, exporter, format, rows: progress.rows, skipped: skipped.length });
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
