import type { handleUnaryCall } from '@grpc/grpc-js';
import type { reviewsV1 } from '@stechuhr/contracts';
import { unary } from '@stechuhr/service';
import type { Context } from '../context.js';
import { createSuppression } from '../operations/create-suppression.js';
import { callOf } from './from-proto.js';
import { suppressionToProto } from './to-proto.js';

type Response = reviewsV1.CreateSuppressionResponse;

export function createSuppressionRpc(context: Context): handleUnaryCall<reviewsV1.CreateSuppressionRequest, Response> {
  return unary(async ({ caller, json }, rpc) => {
    const { suppression, created } = await createSuppression(callOf(context, caller, rpc), json);
    return { suppression: suppressionToProto(suppression), created };
  });
}
