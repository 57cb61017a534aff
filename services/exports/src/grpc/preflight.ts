import type { handleUnaryCall } from '@grpc/grpc-js';
import type { exportsV1 } from '@stechuhr/contracts';
import { prepareExport } from '@stechuhr/export-runs';
import { AppError } from '@stechuhr/kernel';
import { unary } from '@stechuhr/service';
import type { Context } from '../context.js';

export function preflightRpc(context: Context): handleUnaryCall<exportsV1.PreflightRequest, exportsV1.PreflightResponse> {
  return unary(async ({ caller, exporter, parameters }, { signal }) => {
    if (caller === undefined) throw new AppError('internal', 'Internal error.', { cause: new Error('The call names no caller.') });
    const { skipped } = await prepareExport(context.sourcesOf(caller, signal), { exporter, parameters });
    return { skipped: [...skipped] };
  });
}
