import type { handleServerStreamingCall } from '@grpc/grpc-js';
import type { recordsV1 } from '@stechuhr/contracts';
import { serverStream } from '@stechuhr/service';
import type { Context } from '../context.js';
import { toCaller } from './from-proto.js';
import { inBatches } from './in-batches.js';

export function listDepartmentsRpc({
  directory,
}: Context): handleServerStreamingCall<recordsV1.ListDepartmentsRequest, recordsV1.ListDepartmentsResponse> {
  return serverStream(async function* ({ caller }) {
    for await (const departments of inBatches(directory.departments(toCaller(caller)))) yield { departments };
  });
}
