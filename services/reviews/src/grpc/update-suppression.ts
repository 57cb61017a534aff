import type { handleUnaryCall } from '@grpc/grpc-js';
import type { reviewsV1 } from '@stechuhr/contracts';
import { unary } from '@stechuhr/service';
import type { Context } from '../context.js';
import { updateSuppression } from '../operations/update-suppression.js';
import { callOf, toId } from './from-proto.js';
import { suppressionToProto } from './to-proto.js';

type Response = reviewsV1.UpdateSuppressionResponse;

export function updateSuppressionRpc(context: Context): handleUnaryCall<reviewsV1.UpdateSuppressionRequest, Response> {
  return unary(async ({ caller, suppressionId, json }, rpc) => ({
    suppression: suppressionToProto(await updateSuppression(callOf(context, caller, rpc), { id: toId(suppressionId), json })),
  }));
}
