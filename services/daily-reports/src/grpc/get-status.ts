import type { handleUnaryCall } from '@grpc/grpc-js';
import type { dailyReportsV1 } from '@stechuhr/contracts';
import { unary } from '@stechuhr/service';
import type { Context } from '../context.js';
import { getStatus } from '../operations/get-status.js';
import { callOf } from './from-proto.js';
import { statusToProto } from './to-proto.js';

export function getStatusRpc(context: Context): handleUnaryCall<dailyReportsV1.GetStatusRequest, dailyReportsV1.GetStatusResponse> {
  return unary(async ({ caller, parameters }, call) => {
    const { tagId, date, status } = await getStatus(callOf(context, caller, call), parameters);
    return { tagId, date, status: statusToProto(status) };
  });
}
