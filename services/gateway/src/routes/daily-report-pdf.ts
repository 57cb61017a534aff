import type { dailyReportsV1 } from '@stechuhr/contracts';
import { AppError, attachment } from '@stechuhr/kernel';
import { readStream } from '@stechuhr/service';
import { sendStream } from '../http/send-stream.js';
import { BASE_PATH, type CallerExchange, type CallerRoute } from './route.js';

interface Dependencies {
  readonly dailyReports: dailyReportsV1.DailyReportsServiceClient;
}

export function dailyReportPdfRoute(dependencies: Dependencies): CallerRoute {
  return {
    // Any text may be in place of the id; its service reports what is wrong with it.
    path: `${BASE_PATH}daily-reports/reports/:id/pdf/`,
    name: 'Report PDF',
    description: 'A report to print, sign and hand over.',
    authenticated: true,
    operations: { GET: { scope: 'daily_reports:view', handle: (exchange) => answerPdf(dependencies, exchange) } },
  };
}

/** HEAD checks the report and renders nothing. */
async function answerPdf({ dailyReports }: Dependencies, { request, response, signal, principal }: CallerExchange): Promise<void> {
  const message = { caller: principal.caller, reportId: String(request.params.id), judgeOnly: request.method === 'HEAD' };
  const parts = readStream(dailyReports, dailyReports.renderPdf, message, { signal });
  const { fileName, mediaType } = await readHead(parts);
  const headers = { 'Content-Type': mediaType, 'Content-Disposition': attachment(fileName) };
  await sendStream(response, { headers, chunks: chunksOf(parts), signal });
}

type Parts = AsyncGenerator<dailyReportsV1.RenderPdfResponse, void, undefined>;

async function readHead(parts: Parts): Promise<dailyReportsV1.PdfHead> {
  const first = await parts.next();
  if (first.done !== true && first.value.part?.$case === 'head') return first.value.part.value;
  throw new AppError('internal', 'Internal error.', { cause: new Error('The PDF does not start with its head.') });
}

async function* chunksOf(parts: Parts): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const { part } of parts) {
    if (part?.$case !== 'chunk') throw new Error('The PDF has a part that is no chunk.');
    yield part.value;
  }
}
