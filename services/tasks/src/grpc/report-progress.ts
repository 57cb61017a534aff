import type { handleUnaryCall } from '@grpc/grpc-js';
import type { tasksV1 } from '@stechuhr/contracts';
import { unary } from '@stechuhr/service';
import type { Ports } from '../operations/ports.js';
import { reportProgress } from '../operations/report-progress.js';

export function reportProgressRpc(ports: Ports): handleUnaryCall<tasksV1.ReportProgressRequest, tasksV1.ReportProgressResponse> {
  return unary(async (request) => ({ held: await reportProgress(ports, request) }));
}
