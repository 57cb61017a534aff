import type { handleBidiStreamingCall } from '@grpc/grpc-js';
import type { recordsV1 } from '@stechuhr/contracts';
import { bidiStream } from '@stechuhr/service';
import type { ImportEvent, ImportLine } from './import-events.js';
import { importLines, type ImportOptions } from './import-lines.js';
import { ImportedReferences } from './imported-references.js';
import type { Content } from './kinds/kind.js';

/**
 * Creates the handler of an `Import` call (ADR 9). It sends rejections and progress while lines are still arriving, and the summary last.
 *
 * @param open creates the options for one call; the signal aborts when the client disconnects
 */
export function importRpc<C extends Content, K extends string>(
  open: (signal: AbortSignal) => ImportOptions<C, K>,
): handleBidiStreamingCall<recordsV1.ImportRequest, recordsV1.ImportResponse> {
  return bidiStream(async function* (requests, { signal }) {
    for await (const event of importLines(open(signal), linesOf(requests))) yield { event: toProto(event) };
  });
}

/**
 * Creates the handler of a `CheckImport` call: an import over ports that write nothing.
 *
 * @param open as for {@link importRpc}; `imported` adds the records that the import would have stored to the lookup of references
 */
export function checkRpc<C extends Content, K extends string>(
  open: (signal: AbortSignal, imported: ImportedReferences) => ImportOptions<C, K>,
): handleBidiStreamingCall<CheckRequest, recordsV1.ImportResponse> {
  return bidiStream(async function* (requests, { signal }) {
    const imported = new ImportedReferences();
    for await (const event of importLines(open(signal, imported), linesOf(collectRecords(imported, requests))))
      yield { event: toProto(event) };
  });
}

interface CheckRequest extends recordsV1.ImportRequest {
  readonly records: readonly recordsV1.ImportedRecord[];
}

async function* collectRecords(imported: ImportedReferences, requests: AsyncIterable<CheckRequest>): AsyncGenerator<CheckRequest> {
  for await (const request of requests) {
    imported.add(request.records);
    yield request;
  }
}

async function* linesOf(requests: AsyncIterable<recordsV1.ImportRequest>): AsyncGenerator<ImportLine, void, undefined> {
  for await (const { lines, strict } of requests) for (const line of lines) yield { ...line, strict: strict ?? false };
}

function toProto(event: ImportEvent): recordsV1.ImportResponse['event'] {
  switch (event.kind) {
    case 'rejected': {
      const { file, line } = event.line;
      const { kind, id, reason } = event.refusal;
      return { $case: 'rejected', value: { file, line, kind, id, reason } };
    }
    case 'warning': {
      const { line, change, message } = event.warning;
      return { $case: 'warning', value: { file: line?.file, line: line?.line, kind: change?.kind, id: change?.id, message } };
    }
    case 'progress':
      return { $case: 'progress', value: { lines: event.lines } };
    case 'summary':
      return { $case: 'summary', value: { accepted: { ...event.accepted }, rejected: event.rejected } };
  }
}
