import type { handleServerStreamingCall } from '@grpc/grpc-js';
import type { dailyReportsV1 } from '@stechuhr/contracts';
import { serverStream } from '@stechuhr/service';
import type { Context } from '../context.js';
import { listEntries } from '../operations/list-entries.js';
import { callOf } from './from-proto.js';
import { inMessages } from './in-messages.js';
import { entryToProto } from './to-proto.js';

export function listEntriesRpc(
  context: Context,
): handleServerStreamingCall<dailyReportsV1.ListEntriesRequest, dailyReportsV1.ListEntriesResponse> {
  return serverStream(async function* ({ caller, ...request }, callContext) {
    const call = callOf(context, caller, callContext);
    const { count, results } = await listEntries(call, request);
    for (const part of inMessages(results)) yield { count, entries: part.map((entry) => entryToProto(call.photos, entry)) };
  });
}
