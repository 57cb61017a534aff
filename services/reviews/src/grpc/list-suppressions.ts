import type { handleUnaryCall } from '@grpc/grpc-js';
import type { reviewsV1 } from '@stechuhr/contracts';
import { unary } from '@stechuhr/service';
import type { Context } from '../context.js';
import { listSuppressions } from '../operations/list-suppressions.js';
import { callOf } from './from-proto.js';
import { suppressionToProto } from './to-proto.js';

type Response = reviewsV1.ListSuppressionsResponse;

export function listSuppressionsRpc(context: Context): handleUnaryCall<reviewsV1.ListSuppressionsRequest, Response> {
  return unary(async ({ caller, ...query }, rpc) => {
    const { count, results } = await listSuppressions(callOf(context, caller, rpc), query);
    return { count, suppressions: results.map(suppressionToProto) };
  });
}
