import type { handleUnaryCall } from '@grpc/grpc-js';
import type { tasksV1 } from '@stechuhr/contracts';
import { unary } from '@stechuhr/service';
import { fileKey } from '../domain/file-keys.js';
import { claimJob } from '../operations/claim-job.js';
import type { Ports } from '../operations/ports.js';
import { toCallerProto } from './from-proto.js';
import { exportSpecToProto } from './to-proto.js';

export function claimJobRpc(ports: Ports): handleUnaryCall<tasksV1.ClaimJobRequest, tasksV1.ClaimJobResponse> {
  return unary(async ({ taskId }) => {
    const task = await claimJob(ports, taskId);
    if (task === undefined) return { job: undefined };
    return {
      job: {
        taskId: task.id,
        attempt: task.attempt,
        leaseMs: ports.leaseMs,
        caller: toCallerProto(task.owner, task.visibility),
        export: exportSpecToProto(task.spec),
        file: fileKey(task, task.attempt),
      },
    };
  });
}
