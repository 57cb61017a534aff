import type { handleUnaryCall } from '@grpc/grpc-js';
import type { tasksV1 } from '@stechuhr/contracts';
import { unary } from '@stechuhr/service';
import { finishJob } from '../operations/finish-job.js';
import type { Ports } from '../operations/ports.js';

export function finishJobRpc(ports: Ports): handleUnaryCall<tasksV1.FinishJobRequest, tasksV1.FinishJobResponse> {
  return unary(async (request) => ({ held: await finishJob(ports, request) }));
}
