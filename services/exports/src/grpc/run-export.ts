import type { handleServerStreamingCall } from '@grpc/grpc-js';
import type { exportsV1 } from '@stechuhr/contracts';
import { AppError } from '@stechuhr/kernel';
import { serverStream } from '@stechuhr/service';
import type { Context } from '../context.js';
import { runExport, type ExportPart } from '../operations/run-export.js';

type Request = exportsV1.RunExportRequest;
type Response = exportsV1.RunExportResponse;

export function runExportRpc(context: Context): handleServerStreamingCall<Request, Response> {
  return serverStream(async function* ({ caller, ...request }, { signal }) {
    if (caller === undefined) throw new AppError('internal', 'Internal error.', { cause: new Error('The call names no caller.') });
    const ports = { sources: context.sourcesOf(caller, signal), tasks: context.tasksOf(caller, signal), events: context.events };
    for await (const part of runExport(ports, { caller, ...request })) yield toResponse(part);
  });
}

function toResponse(part: ExportPart): Response {
  if ('header' in part) return { part: { $case: 'header', value: part.header } };
  if ('chunk' in part) return { part: { $case: 'chunk', value: part.chunk } };
  return { part: { $case: 'task', value: part.answered } };
}
