import type { handleUnaryCall } from '@grpc/grpc-js';
import type { dailyReportsV1 } from '@stechuhr/contracts';
import { unary } from '@stechuhr/service';
import type { Context } from '../context.js';
import { autofillReport } from '../operations/autofill-report.js';
import { callOf } from './from-proto.js';

export function autofillRpc(context: Context): handleUnaryCall<dailyReportsV1.AutofillRequest, dailyReportsV1.AutofillResponse> {
  return unary(async ({ caller, json, mayApprove }, call) => {
    const { tagId, date, filled } = await autofillReport(callOf(context, caller, call), { json, mayApprove });
    return { tagId, date, filled: [...filled] };
  });
}
