import type { handleServerStreamingCall } from '@grpc/grpc-js';
import type { recordsV1 } from '@stechuhr/contracts';
import { serverStream } from '@stechuhr/service';
import type { Context } from '../context.js';
import { listEmployees } from '../operations/list-employees.js';
import { toCaller } from './from-proto.js';
import { inBatches } from './in-batches.js';

export function listEmployeesRpc(
  context: Context,
): handleServerStreamingCall<recordsV1.ListEmployeesRequest, recordsV1.ListEmployeesResponse> {
  return serverStream(async function* ({ caller }) {
    for await (const employees of inBatches(await listEmployees(context, toCaller(caller)))) yield { employees };
  });
}
