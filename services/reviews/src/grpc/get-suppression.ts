import type { handleUnaryCall } from '@grpc/grpc-js';
import type { reviewsV1 } from '@stechuhr/contracts';
import { unary } from '@stechuhr/service';
import type { Context } from '../context.js';
import { findSuppression } from '../operations/find-suppression.js';
import { callOf, toId } from './from-proto.js';
import { suppressionToProto } from './to-proto.js';

type Response = reviewsV1.GetSuppressionResponse;

export function getSuppressionRpc(context: Context): handleUnaryCall<reviewsV1.GetSuppressionRequest, Response> {
  return unary(async ({ caller, suppressionId }, rpc) => ({
    suppression: suppressionToProto(await findSuppression(callOf(context, caller, rpc), toId(suppressionId))),
  }));
}
