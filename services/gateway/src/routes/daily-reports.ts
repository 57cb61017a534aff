import { ListParameters, type dailyReportsV1 } from '@stechuhr/contracts';
import { AppError, attachment, pageOf } from '@stechuhr/kernel';
import { callUnary, readStream, RUN_STALL_MS } from '@stechuhr/service';
import { formatLocalDate } from '@stechuhr/worktime';
import type { RefundingRateLimiter } from '../clients/rate-limiter.js';
import { ask, readList } from '../clients/services.js';
import { grants } from '../domain/token.js';
import { pageAnswer } from '../http/links.js';
import { sendPage, sendStream } from '../http/send-stream.js';
import { chargeRun } from '../middleware/charge-run.js';
import { readJsonBody } from '../middleware/json-body.js';
import { entryJson, fieldTypeJson, reportJson, statusName } from './daily-report-json.js';
import { exportTaskJson } from './task-json.js';
import { BASE_PATH, type CallerExchange, type CallerRoute } from './route.js';

interface Dependencies {
  readonly dailyReports: dailyReportsV1.DailyReportsServiceClient;
  /** Counts the tasks that start; undefined if the limit is disabled. */
  readonly runs: RefundingRateLimiter | undefined;
}

const REPORTS = 'daily-reports/reports';
const REPORTS_PATH = `${BASE_PATH}${REPORTS}/`;
const FIELD_TYPES_PATH = `${REPORTS_PATH}field-types/`;
const ENTRIES = 'daily-reports/entries';
const ENTRIES_PATH = `${BASE_PATH}${ENTRIES}/`;

export function dailyReportRoutes(dependencies: Dependencies): CallerRoute[] {
  const view = (answer: Answer) =>
    ({
      GET: { scope: 'daily_reports:view', jsonOnly: true, handle: (exchange: CallerExchange) => answer(dependencies, exchange) },
    }) as const;
  return [
    {
      path: REPORTS_PATH,
      name: 'Daily Reports',
      description: 'Daily reports of construction sites, one for each project and day with entries.',
      authenticated: true,
      group: REPORTS,
      operations: view(listReports),
    },
    {
      path: FIELD_TYPES_PATH,
      name: 'Field Types',
      description: 'The types that the fields of a report can have.',
      authenticated: true,
      operations: view(listFieldTypes),
    },
    {
      path: `${REPORTS_PATH}status/`,
      name: 'Report Status',
      description: 'The status of the report of a project and a day.',
      authenticated: true,
      operations: view(answerStatus),
    },
    {
      path: `${REPORTS_PATH}autofill/`,
      name: 'Autofill',
      description: 'Fills a report from the time tracking of its day.',
      authenticated: true,
      operations: { POST: { scope: 'daily_reports:edit', jsonOnly: true, handle: (exchange) => autofill(dependencies, exchange) } },
    },
    ...fileRoutes(dependencies),
    {
      path: ENTRIES_PATH,
      name: 'Daily Report Entries',
      description: 'The entries of the reports, including corrections and deletions.',
      authenticated: true,
      group: ENTRIES,
      operations: { GET: { scope: 'daily_reports:view', jsonOnly: true, handle: (exchange) => listEntries(dependencies, exchange) } },
    },
    {
      path: `${ENTRIES_PATH}upload-photo-token/`,
      name: 'Photo Upload Token',
      description: 'Forms with which a photo and its preview can be uploaded.',
      authenticated: true,
      operations: { POST: { scope: 'daily_reports:edit', jsonOnly: true, handle: (exchange) => issueToken(dependencies, exchange) } },
    },
  ];
}

function fileRoutes(dependencies: Dependencies): CallerRoute[] {
  return [
    {
      path: `${REPORTS_PATH}bundles/`,
      name: 'Report Bundles',
      description: 'The reports of several days in one file, created in the background.',
      authenticated: true,
      operations: { POST: { scope: 'daily_reports:view', jsonOnly: true, handle: (exchange) => startBundle(dependencies, exchange) } },
    },
    {
      // The id may be any text; the service reports what is wrong with it.
      path: `${REPORTS_PATH}:id/pdf/`,
      name: 'Report PDF',
      description: 'A report as a PDF file.',
      authenticated: true,
      operations: { GET: { scope: 'daily_reports:view', handle: (exchange) => answerPdf(dependencies, exchange) } },
    },
  ];
}

type Answer = (dependencies: Dependencies, exchange: CallerExchange) => Promise<void>;

async function listReports({ dailyReports }: Dependencies, exchange: CallerExchange): Promise<void> {
  const { response, signal, principal, query, publicBase } = exchange;
  const page = pageOf(query.limit, query.offset);
  const messages = readList(dailyReports, dailyReports.listReports, { caller: principal.caller, parameters: query, ...page }, { signal });
  const results = ({ reports }: dailyReportsV1.ListReportsResponse) => reports.map(reportJson);
  await sendPage(response, { address: publicBase + REPORTS_PATH, query, ...page, messages, results, signal });
}

/** Lists the field types. There are few, but they are paginated like other lists. */
async function listFieldTypes({ dailyReports }: Dependencies, { answer, signal, query, publicBase }: CallerExchange): Promise<void> {
  const parameters = new ListParameters(query);
  parameters.order([]);
  parameters.throwIfAny();
  const { limit, offset } = pageOf(query.limit, query.offset);
  const { types } = await ask(dailyReports, dailyReports.listFieldTypes, {}, { signal, idempotent: true });
  const results = types.slice(offset, offset + limit).map(fieldTypeJson);
  return answer(pageAnswer(publicBase + FIELD_TYPES_PATH, query, { limit, offset, count: types.length, results }));
}

async function answerStatus({ dailyReports }: Dependencies, { answer, signal, principal, query }: CallerExchange): Promise<void> {
  const message = { caller: principal.caller, parameters: query };
  const { tagId, date, status } = await ask(dailyReports, dailyReports.getStatus, message, { signal, idempotent: true });
  return answer({ tag_id: tagId, date: formatLocalDate(date), status: statusName(status) });
}

/** Fills a report. Whether the token needs a scope in addition to that of the route depends on the report, so the service decides it. */
async function autofill({ dailyReports }: Dependencies, exchange: CallerExchange): Promise<void> {
  const { answer, signal, principal } = exchange;
  const mayApprove = grants(principal, { scope: 'daily_reports:approve' });
  const message = { caller: principal.caller, json: await readJsonBody(exchange), mayApprove };
  const { tagId, date, filled } = await callUnary(dailyReports, dailyReports.autofill, message, { signal, idempotent: true });
  return answer({ tag_id: tagId, date: formatLocalDate(date), filled });
}

/**
 * Starts a bundle or returns its task. Clients poll the task by repeating the request, which is not charged and works even if the limit is
 * used up.
 */
async function startBundle({ dailyReports, runs }: Dependencies, exchange: CallerExchange): Promise<void> {
  const { answer, signal, principal } = exchange;
  const json = await readJsonBody(exchange);
  const charge = await chargeRun(runs, exchange);
  const message = { caller: principal.caller, json, existingOnly: charge.isRefused };
  const { task, started } = await ask(dailyReports, dailyReports.startBundle, message, { signal, idempotent: true }).catch(charge.failed);
  if (!started) await charge.refund();
  return answer(exportTaskJson(task), task?.finishedAt === undefined ? 202 : 200);
}

/** Sends a report as PDF. HEAD checks the report without rendering it. */
async function answerPdf({ dailyReports }: Dependencies, { request, response, signal, principal }: CallerExchange): Promise<void> {
  const message = { caller: principal.caller, reportId: String(request.params.id), judgeOnly: request.method === 'HEAD' };
  const parts = readStream(dailyReports, dailyReports.renderPdf, message, { signal, stallMs: RUN_STALL_MS });
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

async function listEntries({ dailyReports }: Dependencies, exchange: CallerExchange): Promise<void> {
  const { response, signal, principal, query, publicBase } = exchange;
  const page = pageOf(query.limit, query.offset);
  const messages = readList(dailyReports, dailyReports.listEntries, { caller: principal.caller, parameters: query, ...page }, { signal });
  const results = ({ entries }: dailyReportsV1.ListEntriesResponse) => entries.map(entryJson);
  await sendPage(response, { address: publicBase + ENTRIES_PATH, query, ...page, messages, results, signal });
}

async function issueToken({ dailyReports }: Dependencies, exchange: CallerExchange): Promise<void> {
  const { answer, signal, principal } = exchange;
  const message = { caller: principal.caller, json: await readJsonBody(exchange) };
  const { url, fields, thumbFields } = await ask(dailyReports, dailyReports.issueUploadToken, message, { signal });
  return answer({ url, fields, thumb_fields: thumbFields });
}
