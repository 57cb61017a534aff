import type { handleUnaryCall } from '@grpc/grpc-js';
import type { tasksV1 } from '@stechuhr/contracts';
import { unary } from '@stechuhr/service';
import { failJob } from '../operations/fail-job.js';
import type { Ports } from '../operations/ports.js';

export function failJobRpc(ports: Ports): handleUnaryCall<tasksV1.FailJobRequest, tasksV1.FailJobResponse> {
  return unary(async (request) => {
    await failJob(ports, request);
    return {};
  });
}
