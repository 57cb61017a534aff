import type { handleServerStreamingCall } from '@grpc/grpc-js';
import type { recordsV1 } from '@stechuhr/contracts';
import { AppError, parseUuid } from '@stechuhr/kernel';
import { serverStream } from '@stechuhr/service';
import type { Context } from '../context.js';
import { readProjectDay } from '../operations/read-project-day.js';
import { toCaller } from './from-proto.js';

export function readProjectDayRpc(context: Context): handleServerStreamingCall<recordsV1.ReadProjectDayRequest, Uint8Array> {
  return serverStream(({ caller, projectId: id, day }, { signal }) => {
    const projectId = parseUuid(id);
    if (projectId === undefined) throw AppError.invalid({ project_id: ['Must be a valid UUID.'] });
    return readProjectDay(context, toCaller(caller), { projectId, day }, signal);
  });
}
