import type { handleUnaryCall } from '@grpc/grpc-js';
import type { reviewsV1 } from '@stechuhr/contracts';
import { unary } from '@stechuhr/service';
import type { Context } from '../context.js';
import { listChecks } from '../operations/list-checks.js';
import { callOf } from './from-proto.js';
import { checkToProto } from './to-proto.js';

export function listChecksRpc(context: Context): handleUnaryCall<reviewsV1.ListChecksRequest, reviewsV1.ListChecksResponse> {
  return unary(async ({ caller }, rpc) => {
    const call = callOf(context, caller, rpc);
    return { checks: (await listChecks(call, call.caller)).map(checkToProto) };
  });
}
