import type { handleServerStreamingCall } from '@grpc/grpc-js';
import { recordsV1 } from '@stechuhr/contracts';
import { parseUuid } from '@stechuhr/kernel';
import { serverStream } from '@stechuhr/service';
import type { Context } from '../context.js';
import { readTimeRecords } from '../operations/read-time-records.js';
import { toCaller, toPart } from './from-proto.js';

const { RecordsServiceService: generated } = recordsV1;
const responseSerialize = (message: Buffer) => message;

/** The store answers with encoded messages, so they pass as they are. */
export const recordsServiceDefinition = {
  ...generated,
  readTimeRecords: { ...generated.readTimeRecords, responseSerialize },
  readProjectDay: { ...generated.readProjectDay, responseSerialize },
};

export function readTimeRecordsRpc(context: Context): handleServerStreamingCall<recordsV1.ReadTimeRecordsRequest, Uint8Array> {
  return serverStream((request, { signal }) => {
    const employeeIds = request.employeeIds.flatMap((id) => parseUuid(id) ?? []);
    const query = { fromDay: request.fromDay, toDay: request.toDay, parts: new Set(request.parts.map(toPart)), signal };
    return readTimeRecords(context, toCaller(request.caller), employeeIds, query);
  });
}
