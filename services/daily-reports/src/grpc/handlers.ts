import { dailyReportsV1, requireCaller, requireDay, requirePage } from '@stechuhr/contracts';
import { checkRpc, importRpc } from '@stechuhr/ingest';
import { AppError, parseUuid } from '@stechuhr/kernel';
import { inBatchesBySize, serverStream, unary, type CallContext } from '@stechuhr/service';
import type { Context } from '../context.js';
import type { EntryValue } from '../domain/entry-value.js';
import { fieldTypes } from '../domain/field-types.js';
import { activeForm } from '../domain/form.js';
import { autofillReport } from '../operations/autofill-report.js';
import { dailyReportCheck } from '../operations/ingest/check-import.js';
import { dailyReportIngest } from '../operations/ingest/ingest.js';
import { issueUploadToken } from '../operations/issue-upload-token.js';
import { photoPlaces } from '../operations/keep-photos.js';
import { listEntries } from '../operations/list-entries.js';
import { listReports } from '../operations/list-reports.js';
import type { Call } from '../operations/ports.js';
import { renderBundle } from '../operations/render-bundle.js';
import { renderPdf } from '../operations/render-pdf.js';
import { changeStatus, getStatus } from '../operations/report-status.js';
import { startBundle } from '../operations/start-bundle.js';
import { rebuildDescriptors } from '../operations/settle-reports.js';
import { callerOf, callOf, permissionFromProto, statusFromProto } from './from-proto.js';
import { entryToProto, fieldToProto, fieldTypeToProto, reportToProto, statusToProto, type PhotoUrls } from './to-proto.js';

/** How many items are converted at a time; the URLs of their photos are created together. */
const ITEMS_A_LOOKUP = 200;

type Server = dailyReportsV1.DailyReportsServiceServer;

/** Returns the handlers of the service. Each one decodes the request, runs its operation and encodes the response. */
export function handlersOf(context: Context): Server {
  return { ...importHandlers(context), ...listHandlers(context), ...reportHandlers(context), ...fileHandlers(context) };
}

function importHandlers({ ingestNeeds }: Context): Pick<Server, 'import' | 'checkImport'> {
  return {
    import: importRpc((signal) => dailyReportIngest(ingestNeeds(signal))),
    checkImport: checkRpc((signal, imported) => dailyReportCheck(ingestNeeds(signal), imported)),
  };
}

function listHandlers(context: Context): Pick<Server, 'listReports' | 'listEntries' | 'listFieldTypes' | 'getForm'> {
  return {
    listReports: serverStream(({ caller, ...request }, rpc) => {
      const call = callOf(context, caller, rpc);
      const query = requirePage(request);
      return context.inTurn.pages.stream(askingOf(call, rpc), async function* () {
        const { count, results } = await listReports(call, query);
        if (results.length === 0) yield { count, reports: [] };
        for (const part of partsOf(results)) {
          const values = part.flatMap((report) => report.values);
          const urlOf = await photoUrls(call, values);
          const listed = part.map((report) => reportToProto(urlOf, report));
          for (const reports of inBatchesBySize(listed, bytesOfReport)) yield { count, reports };
        }
      });
    }),
    listEntries: serverStream(({ caller, ...request }, rpc) => {
      const call = callOf(context, caller, rpc);
      const query = requirePage(request);
      return context.inTurn.pages.stream(askingOf(call, rpc), async function* () {
        const { count, results } = await listEntries(call, query);
        if (results.length === 0) yield { count, entries: [] };
        for (const part of partsOf(results)) {
          const values = part.map(({ value }) => value);
          const urlOf = await photoUrls(call, values);
          const listed = part.map((entry) => entryToProto(urlOf, entry));
          for (const entries of inBatchesBySize(listed, bytesOfEntry)) yield { count, entries };
        }
      });
    }),
    listFieldTypes: unary(() => Promise.resolve({ types: fieldTypes.map(fieldTypeToProto) })),
    getForm: unary(async ({ caller, date }) => {
      const { id, validFrom, fields } = activeForm(await context.ports.forms.list(callerOf(caller)), requireDay('date', date));
      return { id: id ?? undefined, validFrom: validFrom ?? undefined, fields: fields.map(fieldToProto) };
    }),
  };
}

type ReportCalls = 'getStatus' | 'changeStatus' | 'autofill' | 'issueUploadToken' | 'rebuildDescriptors';

function reportHandlers(context: Context): Pick<Server, ReportCalls> {
  const { ports } = context;
  return {
    getStatus: unary(async ({ caller, parameters }, rpc) => {
      const { tagId, date, status } = await getStatus(callOf(context, caller, rpc), parameters);
      return { tagId, date, status: statusToProto(status) };
    }),
    changeStatus: unary(async ({ caller, tagId: tag, date, status, permissions, reason }, rpc) => {
      const tagId = parseUuid(tag);
      if (tagId === undefined) throw AppError.invalid({ tag_id: ['Must be a valid UUID.'] });
      const changed = await changeStatus(callOf(context, caller, rpc), {
        report: { tagId, date: requireDay('date', date) },
        status: statusFromProto(status),
        permissions: permissions.map(permissionFromProto),
        reason: reason ?? null,
      });
      return { status, changed };
    }),
    autofill: unary(async ({ caller, json, mayApprove }, rpc) => {
      const { tagId, date, filled } = await autofillReport(callOf(context, caller, rpc), { json, mayApprove });
      return { tagId, date, filled: [...filled] };
    }),
    issueUploadToken: unary(async ({ caller, json }) => {
      const { photo, thumb } = await issueUploadToken(ports, callerOf(caller), json);
      return { url: photo.url, fields: { ...photo.fields }, thumbFields: { ...thumb.fields } };
    }),
    rebuildDescriptors: serverStream(async function* ({ caller }, rpc) {
      for await (const rebuilt of rebuildDescriptors(callOf(context, caller, rpc))) yield { rebuilt };
    }),
  };
}

function fileHandlers(context: Context): Pick<Server, 'renderPdf' | 'startBundle' | 'renderBundle'> {
  return {
    renderPdf: serverStream(({ caller, reportId, judgeOnly }, rpc) => {
      const call = callOf(context, caller, rpc);
      return context.inTurn.pdfs.stream(askingOf(call, rpc), async function* () {
        const { fileName, chunks } = await renderPdf({ ...call, ...context.pdf, end: rpc.end }, reportId);
        const head = { part: { $case: 'head' as const, value: { fileName, mediaType: 'application/pdf' } } };
        if (judgeOnly) yield head;
        else yield* headWithChunks(head, chunks);
      });
    }),
    startBundle: unary(async ({ caller, ...request }, rpc) => {
      const tasks = context.tasksOf(requireCaller(caller), rpc.signal);
      return startBundle({ ...callOf(context, caller, rpc), tasks }, request);
    }),
    renderBundle: serverStream(async function* ({ caller, parameters }, rpc) {
      const parts = renderBundle({ ...callOf(context, caller, rpc), ...context.pdf, memory: context.bundleMemory }, parameters);
      for await (const { chunk, ...progress } of parts) yield { chunk: Buffer.from(chunk), ...progress };
    }),
  };
}

/** The head is sent with the first chunk, so that a reader does not wait for each of them for as long as it waits for a message. */
async function* headWithChunks<H>(head: H, chunks: AsyncIterable<Uint8Array>) {
  let hasBegun = false;
  for await (const chunk of chunks) {
    if (!hasBegun) yield head;
    hasBegun = true;
    yield { part: { $case: 'chunk' as const, value: Buffer.from(chunk) } };
  }
}

function askingOf({ caller }: Call, { signal, over, end }: CallContext) {
  return { institutionId: caller.institutionId, signal, over, end };
}

/** Returns a function for the signed addresses of the photos of these values. */
async function photoUrls(call: Call, values: readonly EntryValue[]): Promise<PhotoUrls> {
  const placeOf = await photoPlaces(call, call.caller, values);
  return (key) => call.photos.downloadUrl(placeOf(key));
}

function* partsOf<T>(results: readonly T[]): Generator<readonly T[], void, undefined> {
  for (let at = 0; at < results.length; at += ITEMS_A_LOOKUP) yield results.slice(at, at + ITEMS_A_LOOKUP);
}

function bytesOfReport(report: dailyReportsV1.Report): number {
  return dailyReportsV1.Report.encode(report).finish().length;
}

function bytesOfEntry(entry: dailyReportsV1.Entry): number {
  return dailyReportsV1.Entry.encode(entry).finish().length;
}
