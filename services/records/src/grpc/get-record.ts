import type { handleUnaryCall } from '@grpc/grpc-js';
import type { browseV1 } from '@stechuhr/contracts';
import { unary } from '@stechuhr/service';
import type { Context } from '../context.js';
import { browseRecord } from '../operations/browse-records.js';
import { browsedToProto } from './browsed-to-proto.js';
import { toCaller } from './from-proto.js';
import { toGroup } from './list-records.js';

export function getRecordRpc(context: Context): handleUnaryCall<browseV1.GetRecordRequest, browseV1.GetRecordResponse> {
  return unary(async ({ caller, group, id }) => {
    const name = toGroup(group);
    return { record: browsedToProto(name, await browseRecord(context, toCaller(caller), name, id.toLowerCase())) };
  });
}
