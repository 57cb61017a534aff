import type { handleServerStreamingCall } from '@grpc/grpc-js';
import type { dailyReportsV1 } from '@stechuhr/contracts';
import { serverStream } from '@stechuhr/service';
import type { Context } from '../context.js';
import { renderPdf } from '../operations/render-pdf.js';
import { callOf } from './from-proto.js';

const MEDIA_TYPE = 'application/pdf';

type Request = dailyReportsV1.RenderPdfRequest;

export function renderPdfRpc(context: Context): handleServerStreamingCall<Request, dailyReportsV1.RenderPdfResponse> {
  return serverStream(async function* ({ caller, reportId, judgeOnly }, callContext) {
    const { fileName, chunks } = await renderPdf({ ...callOf(context, caller, callContext), ...context.pdf }, reportId);
    yield { part: { $case: 'head' as const, value: { fileName, mediaType: MEDIA_TYPE } } };
    if (judgeOnly) return;
    for await (const chunk of chunks) yield { part: { $case: 'chunk' as const, value: Buffer.from(chunk) } };
  });
}
