import type { handleUnaryCall } from '@grpc/grpc-js';
import type { reviewsV1 } from '@stechuhr/contracts';
import { unary } from '@stechuhr/service';
import type { Context } from '../context.js';
import { deleteSuppression } from '../operations/delete-suppression.js';
import { callOf, toId } from './from-proto.js';

type Response = reviewsV1.DeleteSuppressionResponse;

export function deleteSuppressionRpc(context: Context): handleUnaryCall<reviewsV1.DeleteSuppressionRequest, Response> {
  return unary(async ({ caller, suppressionId }, rpc) => {
    await deleteSuppression(callOf(context, caller, rpc), toId(suppressionId));
    return {};
  });
}
