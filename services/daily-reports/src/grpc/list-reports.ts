import type { handleServerStreamingCall } from '@grpc/grpc-js';
import type { dailyReportsV1 } from '@stechuhr/contracts';
import { serverStream } from '@stechuhr/service';
import type { Context } from '../context.js';
import { listReports } from '../operations/list-reports.js';
import { callOf } from './from-proto.js';
import { inMessages } from './in-messages.js';
import { reportToProto } from './to-proto.js';

export function listReportsRpc(
  context: Context,
): handleServerStreamingCall<dailyReportsV1.ListReportsRequest, dailyReportsV1.ListReportsResponse> {
  return serverStream(async function* ({ caller, ...request }, callContext) {
    const call = callOf(context, caller, callContext);
    const { count, results } = await listReports(call, request);
    for (const part of inMessages(results)) yield { count, reports: part.map((report) => reportToProto(call.photos, report)) };
  });
}
