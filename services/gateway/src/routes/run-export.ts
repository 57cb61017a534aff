import type { exportsV1 } from '@stechuhr/contracts';
import { isAsyncRequest } from '@stechuhr/exporting';
import { AppError, attachment } from '@stechuhr/kernel';
import { readStream, RUN_STALL_MS } from '@stechuhr/service';
import type { RefundingRateLimiter } from '../clients/rate-limiter.js';
import { exportWarnings } from '../http/export-warnings.js';
import { sendStream } from '../http/send-stream.js';
import type { ExportSlots } from '../middleware/export-slots.js';
import { chargeRun } from '../middleware/charge-run.js';
import type { CallerExchange } from './route.js';
import { exportTaskJson } from './task-json.js';

export interface ExportDependencies {
  readonly exports: exportsV1.ExportsServiceClient;
  /** Counts the runs and tasks that start; undefined if the limit is disabled. */
  readonly runs: RefundingRateLimiter | undefined;
  /** The slots of synchronous exports. A task needs none, so that it can be polled while exports are running. */
  readonly slots: ExportSlots;
}

/** Sends an export or its task. HEAD is validated like a run but does not start one. Since that may read records, it needs a slot as well. */
export async function runExport(dependencies: ExportDependencies, exporter: string, exchange: CallerExchange): Promise<void> {
  if (isAsyncRequest(exchange.query) && exchange.request.method !== 'HEAD') return answerExport(dependencies, exporter, exchange);
  const { tokenId, caller } = exchange.principal;
  const leave = dependencies.slots.enter({ tokenId, institutionId: caller.institutionId });
  try {
    await answerExport(dependencies, exporter, exchange);
  } finally {
    leave();
  }
}

/** Sends an export. A run has no deadline: it continues as long as bytes arrive and the client reads them. */
async function answerExport({ exports, runs }: ExportDependencies, exporter: string, exchange: CallerExchange): Promise<void> {
  const { request, response, signal, principal, query } = exchange;
  const headerOnly = request.method === 'HEAD';
  const charge = await chargeRun(headerOnly ? undefined : runs, exchange);
  // Clients poll a task by repeating its request, which must work even if the limit is used up.
  const message = {
    caller: principal.caller,
    exporter,
    parameters: query,
    headerOnly,
    existingOnly: charge.isRefused,
    withoutReview: false,
  };
  const parts = readStream(exports, exports.runExport, message, { signal, stallMs: RUN_STALL_MS });
  const { header, next } = await readStart(parts).catch(charge.failed);
  if (next.done !== true && next.value.part?.$case === 'task') {
    const { task, started } = next.value.part.value;
    if (!started) await charge.refund();
    response.set(headersOf(header)).json(exportTaskJson(task));
    return;
  }
  await sendStream(response, { headers: headersOf(header), chunks: chunksOf(next, parts), signal });
}

type Part = exportsV1.RunExportResponse;
type Parts = AsyncGenerator<Part, void, undefined>;

interface Start {
  readonly header: exportsV1.ExportHeader;
  readonly next: IteratorResult<Part, void>;
}

async function readStart(parts: Parts): Promise<Start> {
  const first = await parts.next();
  if (first.done !== true && first.value.part?.$case === 'header') return { header: first.value.part.value, next: await parts.next() };
  throw new AppError('internal', 'Internal error.', { cause: new Error('The export does not start with its header.') });
}

async function* chunksOf(next: Start['next'], parts: Parts): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    for (let current = next; current.done !== true; current = await parts.next()) {
      if (current.value.part?.$case !== 'chunk') throw new Error('The export has a part that is no chunk.');
      yield current.value.part.value;
    }
  } finally {
    await parts.return();
  }
}

function headersOf({ contentType, fileName, skipped, warnings }: exportsV1.ExportHeader): Record<string, string> {
  const known = exportWarnings(warnings);
  return {
    'Content-Type': contentType,
    'X-Export-Skipped': String(skipped),
    ...(known === undefined ? {} : { 'X-Export-Warnings': known }),
    ...(fileName === undefined ? {} : { 'Content-Disposition': attachment(fileName) }),
  };
}
