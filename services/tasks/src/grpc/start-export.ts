import type { handleUnaryCall } from '@grpc/grpc-js';
import type { tasksV1 } from '@stechuhr/contracts';
import { unary } from '@stechuhr/service';
import type { Ports } from '../operations/ports.js';
import { startExport } from '../operations/start-export.js';
import { targetOf } from '../operations/target-of.js';
import { incomplete, toOwner, toVisibility } from './from-proto.js';
import { exportTaskToProto } from './to-proto.js';

export function startExportRpc(ports: Ports): handleUnaryCall<tasksV1.StartExportRequest, tasksV1.StartExportResponse> {
  return unary(async ({ caller, fingerprint, export: spec, label, skipped }) => {
    if (spec === undefined || fingerprint === '') throw incomplete('The call names no export.');
    const input = { visibility: toVisibility(caller), fingerprint, spec, label, skippedAtStart: skipped };
    const { task, started } = await startExport(ports, toOwner(caller), input);
    return { task: exportTaskToProto(task, targetOf(ports, task)), started };
  });
}
