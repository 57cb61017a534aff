import type { handleServerStreamingCall } from '@grpc/grpc-js';
import type { recordsV1 } from '@stechuhr/contracts';
import { serverStream } from '@stechuhr/service';
import type { Context } from '../context.js';
import { toCaller } from './from-proto.js';
import { inBatches } from './in-batches.js';

export function listProjectsRpc({
  directory,
}: Context): handleServerStreamingCall<recordsV1.ListProjectsRequest, recordsV1.ListProjectsResponse> {
  return serverStream(async function* ({ caller }) {
    for await (const projects of inBatches(directory.projects(toCaller(caller)))) yield { projects };
  });
}
