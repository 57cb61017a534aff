import type { handleBidiStreamingCall } from '@grpc/grpc-js';
import type { recordsV1 } from '@stechuhr/contracts';
import { bidiStream } from '@stechuhr/service';
import type { Context } from '../context.js';
import { importLines, type ImportEvent } from '../operations/import-lines.js';

export function importRpc(context: Context): handleBidiStreamingCall<recordsV1.ImportRequest, recordsV1.ImportResponse> {
  return bidiStream(async function* (requests) {
    for await (const event of importLines(context, linesOf(requests))) yield { event: toProto(event) };
  });
}

async function* linesOf(requests: AsyncIterable<recordsV1.ImportRequest>): AsyncGenerator<recordsV1.ImportLine> {
  for await (const { lines } of requests) yield* lines;
}

function toProto(event: ImportEvent): recordsV1.ImportResponse['event'] {
  switch (event.kind) {
    case 'rejected': {
      const { file, line } = event.line;
      const { kind, id, reason } = event.refusal;
      return { $case: 'rejected', value: { file, line, kind, id, reason } };
    }
    case 'progress':
      return { $case: 'progress', value: { lines: event.lines } };
    case 'summary':
      return { $case: 'summary', value: { accepted: { ...event.accepted }, rejected: event.rejected } };
  }
}
