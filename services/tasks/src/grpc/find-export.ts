import type { handleUnaryCall } from '@grpc/grpc-js';
import type { tasksV1 } from '@stechuhr/contracts';
import { unary } from '@stechuhr/service';
import { findExport } from '../operations/find-export.js';
import type { Ports } from '../operations/ports.js';
import { targetOf } from '../operations/target-of.js';
import { toOwner } from './from-proto.js';
import { exportTaskToProto } from './to-proto.js';

export function findExportRpc(ports: Ports): handleUnaryCall<tasksV1.FindExportRequest, tasksV1.FindExportResponse> {
  return unary(async ({ caller, fingerprint }) => {
    const task = await findExport(ports, toOwner(caller), fingerprint);
    return { task: task && exportTaskToProto(task, targetOf(ports, task)) };
  });
}
