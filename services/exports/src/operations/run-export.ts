import { prepareExport, type ExportInput, type ExportSources, type PreparedExport } from '@stechuhr/export-runs';
import type { commonV1 } from '@stechuhr/contracts';
import { contentType, fileName, isAsyncRequest, type ExportWarning } from '@stechuhr/exporting';
import { REVIEW_WAIT_MS, reviewWarnings } from './review-warnings.js';
import { answerWithTask, nothingNew, type TaskAnswer } from './answer-with-task.js';
import type { AnsweredTask, CallerReviews, CallerTasks, ExportEvents } from './ports.js';

export interface RunExportInput extends ExportInput {
  readonly caller: commonV1.Caller;
  /** Whether to validate and return only the header, without a run. */
  readonly headerOnly: boolean;
  /** Whether to return only an existing task, without starting anything. */
  readonly existingOnly: boolean;
  /** Whether to skip the reviews of the months. */
  readonly withoutReview: boolean;
}

export interface ExportHeader {
  readonly contentType: string;
  readonly fileName: string | undefined;
  readonly skipped: number;
  readonly warnings: readonly ExportWarning[];
}

export type ExportPart = { readonly header: ExportHeader } | { readonly chunk: Uint8Array } | { readonly answered: AnsweredTask };

interface Ports {
  readonly sources: ExportSources;
  readonly tasks: CallerTasks;
  readonly reviews: CallerReviews;
  readonly events: ExportEvents;
}

/** Handles a request: yields the bytes of a synchronous run, or the task of an asynchronous one. */
export async function* runExport(ports: Ports, input: RunExportInput): AsyncGenerator<ExportPart, void, undefined> {
  const isAsync = isAsyncRequest(input.parameters);
  if (input.headerOnly) yield { header: await judgedHeader(ports, input) };
  else if (isAsync) yield* headerWithTask(await answerWithTask(ports, input));
  else if (input.existingOnly) throw nothingNew();
  else yield* runNow(ports, input);
}

/**
 * Runs an export. The header is sent with the first bytes, so that an earlier failure is returned as an error and not as a broken
 * connection.
 */
async function* runNow(ports: Ports, input: RunExportInput): AsyncGenerator<ExportPart, void, undefined> {
  const run = await prepareExport(ports.sources, input);
  yield* headerWithFirstChunk(headerOf(ports, input, run), run.write());
  const { format, progress, skipped } = run;
  const { institutionId } = input.caller;
  ports.events.exportRan({ institutionId, exporter: input.exporter, format, rows: progress.rows, skipped: skipped.length });
}

/** Returns the header of a request that a run or a task would not reject. */
async function judgedHeader(ports: Ports, input: RunExportInput): Promise<ExportHeader> {
  const run = await prepareExport(ports.sources, input);
  await run.refuseUnencodable();
  return headerOf(ports, input, run);
}

const JSON_TYPE = 'application/json';

async function headerOf({ reviews }: Ports, { withoutReview }: RunExportInput, run: PreparedExport): Promise<ExportHeader> {
  const { request, skipped } = run;
  const reviewed = withoutReview ? [] : reviewWarnings(reviews, request, REVIEW_WAIT_MS);
  const about = { skipped: skipped.length, warnings: (await Promise.all([run.warnings(), reviewed])).flat() };
  if (request.isAsync) return { contentType: JSON_TYPE, fileName: undefined, ...about };
  return { contentType: contentType(request), fileName: fileName(request), ...about };
}

function* headerWithTask({ warnings, ...answered }: TaskAnswer): Generator<ExportPart, void, undefined> {
  yield { header: { contentType: JSON_TYPE, fileName: undefined, skipped: answered.task.skipped, warnings } };
  yield { answered };
}

async function* headerWithFirstChunk(
  header: Promise<ExportHeader>,
  chunks: AsyncGenerator<Uint8Array, void, undefined>,
): AsyncGenerator<ExportPart, void, undefined> {
  try {
    const [first, known] = await Promise.all([chunks.next(), header]);
    let next = first;
    yield { header: known };
    while (!next.done) {
      yield { chunk: next.value };
      next = await chunks.next();
    }
  } finally {
    await chunks.return();
  }
}
