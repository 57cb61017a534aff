import type { handleBidiStreamingCall } from '@grpc/grpc-js';
import type { recordsV1, reviewsV1 } from '@stechuhr/contracts';
import { bidiStream } from '@stechuhr/service';
import type { Context } from '../context.js';
import { importSettings, type ImportEvent } from '../operations/import-settings.js';

export function importRpc(context: Context): handleBidiStreamingCall<reviewsV1.ImportRequest, reviewsV1.ImportResponse> {
  return bidiStream(async function* (requests, { signal }) {
    for await (const event of importSettings(context.settingsContext(signal), linesOf(requests))) yield { event: toProto(event) };
  });
}

async function* linesOf(requests: AsyncIterable<reviewsV1.ImportRequest>): AsyncGenerator<recordsV1.ImportLine> {
  for await (const { lines } of requests) yield* lines;
}

/** Settings have no id of their own. */
function toProto(event: ImportEvent): reviewsV1.ImportResponse['event'] {
  if (event.kind === 'summary') return { $case: 'summary', value: { accepted: { ...event.accepted }, rejected: event.rejected } };
  const { file, line } = event.line;
  const { kind, reason } = event.refusal;
  return { $case: 'rejected', value: { file, line, kind, id: undefined, reason } };
}
