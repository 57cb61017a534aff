import type { exportsV1 } from '@stechuhr/contracts';
import { AppError } from '@stechuhr/kernel';
import { callUnary, readStream } from '@stechuhr/service';
import type { RateLimiter } from '../adapters/rate-limiter.js';
import { HttpError, throttled } from '../http/answers.js';
import { attachment } from '../http/content-disposition.js';
import { sendStream } from '../http/send-stream.js';
import { setRateLimitHeaders } from '../middleware/rate-limit.js';
import { BASE_PATH, type CallerExchange, type CallerRoute } from './route.js';

interface Dependencies {
  readonly exports: exportsV1.ExportsServiceClient;
  /** Counts the runs that start; absent when it is off. */
  readonly runs: RateLimiter | undefined;
}

const EXPORTERS = {
  generic: 'Rows and columns of your choice about tracked time, planned time and absences.',
  payroll_a: 'Wage records in a fixed layout with a header row.',
  payroll_b: 'Wage records in a fixed layout without a header row.',
  multi: 'Several configurations of the generic export in one file.',
};

const GROUP_PATH = `${BASE_PATH}exports/`;

export function exportRoutes(dependencies: Dependencies): CallerRoute[] {
  const map: CallerRoute = {
    path: GROUP_PATH,
    name: 'Exports',
    description: 'The exporters and their addresses.',
    authenticated: true,
    group: 'exports',
    operations: { GET: { jsonOnly: true, handle: (exchange) => answerExporters(dependencies, exchange) } },
  };
  const runs = Object.entries(EXPORTERS).map(([exporter, description]): CallerRoute => ({
    path: `${GROUP_PATH}${exporter}/`,
    name: `Export ${exporter}`,
    description,
    authenticated: true,
    operations: { GET: { handle: (exchange) => runExport(dependencies, exporter, exchange) } },
  }));
  return [map, ...runs];
}

async function answerExporters({ exports }: Dependencies, { response, signal, publicBase }: CallerExchange): Promise<void> {
  const { exporters } = await callUnary(exports, exports.listExporters, {}, { signal, idempotent: true });
  response.json(Object.fromEntries(exporters.map((exporter) => [exporter, `${publicBase}${GROUP_PATH}${exporter}/`])));
}

/** HEAD is judged like a run and starts none. A run has no deadline: it lasts as long as bytes come and the client takes them. */
async function runExport(dependencies: Dependencies, exporter: string, exchange: CallerExchange): Promise<void> {
  const { exports } = dependencies;
  const { request, response, signal, principal, query } = exchange;
  const headerOnly = request.method === 'HEAD';
  const refund = headerOnly ? undefined : await chargeRun(dependencies, exchange);
  const message = { caller: principal.caller, exporter, parameters: query, headerOnly };
  const parts = readStream(exports, exports.runExport, message, { signal });
  const header = await readHeader(parts).catch(async (caught: unknown) => {
    await refund?.();
    throw caught;
  });
  await sendStream(response, { headers: headersOf(header), chunks: chunksOf(parts), signal });
}

/** @returns what gives the charge back when no run starts */
async function chargeRun({ runs }: Dependencies, { response, principal }: CallerExchange): Promise<(() => Promise<void>) | undefined> {
  if (runs === undefined) return undefined;
  const verdict = await runs.take(principal.tokenId);
  if (verdict.allowed) return () => runs.giveBack(principal.tokenId);
  setRateLimitHeaders(response, verdict);
  throw new HttpError(throttled(verdict.resetSeconds));
}

type Parts = AsyncGenerator<exportsV1.RunExportResponse, void, undefined>;

async function readHeader(parts: Parts): Promise<exportsV1.ExportHeader> {
  const first = await parts.next();
  if (first.done !== true && first.value.part?.$case === 'header') return first.value.part.value;
  throw new AppError('internal', 'Internal error.', { cause: new Error('The export does not start with its header.') });
}

async function* chunksOf(parts: Parts): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const { part } of parts) {
    if (part?.$case !== 'chunk') throw new Error('The export has a part that is no chunk.');
    yield part.value;
  }
}

function headersOf({ contentType, fileName, skipped }: exportsV1.ExportHeader): Record<string, string> {
  return {
    'Content-Type': contentType,
    'X-Export-Skipped': String(skipped),
    ...(fileName === undefined ? {} : { 'Content-Disposition': attachment(fileName) }),
  };
}
