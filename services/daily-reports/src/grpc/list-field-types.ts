import type { handleUnaryCall } from '@grpc/grpc-js';
import type { dailyReportsV1 } from '@stechuhr/contracts';
import { unary } from '@stechuhr/service';
import { fieldTypes } from '../domain/field-types/index.js';

const COMMON = ['date', 'tag_id'];

export function listFieldTypesRpc(): handleUnaryCall<dailyReportsV1.ListFieldTypesRequest, dailyReportsV1.ListFieldTypesResponse> {
  const types = fieldTypes.map(({ id, groupBy, description, choices }) => ({
    id,
    groupBy: [...COMMON, ...groupBy],
    description,
    choices: Object.entries(choices).map(([name, list]) => ({ name, choices: [...list] })),
  }));
  return unary(() => Promise.resolve({ types }));
}
