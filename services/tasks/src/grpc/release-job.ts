import type { handleUnaryCall } from '@grpc/grpc-js';
import type { tasksV1 } from '@stechuhr/contracts';
import { unary } from '@stechuhr/service';
import type { Ports } from '../operations/ports.js';
import { releaseJob } from '../operations/release-job.js';

export function releaseJobRpc(ports: Ports): handleUnaryCall<tasksV1.ReleaseJobRequest, tasksV1.ReleaseJobResponse> {
  return unary(async (request) => {
    await releaseJob(ports, request);
    return {};
  });
}
