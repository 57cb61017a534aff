import type { handleUnaryCall } from '@grpc/grpc-js';
import type { reviewsV1 } from '@stechuhr/contracts';
import { unary } from '@stechuhr/service';
import { groups } from '../domain/groups.js';

export function listGroupsRpc(): handleUnaryCall<reviewsV1.ListGroupsRequest, reviewsV1.ListGroupsResponse> {
  return unary(() => Promise.resolve({ groups: [...groups] }));
}
