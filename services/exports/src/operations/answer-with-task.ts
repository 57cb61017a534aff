import type { commonV1 } from '@stechuhr/contracts';
import { prepareExport, type ExportInput, type ExportSources, type PreparedExport } from '@stechuhr/export-runs';
import { fileName, meaningfulParameters, type ExportWarning } from '@stechuhr/exporting';
import { AppError } from '@stechuhr/kernel';
import { REVIEW_WAIT_MS, reviewWarnings } from './review-warnings.js';
import { fingerprintOf } from './fingerprint.js';
import type { AnsweredTask, CallerReviews, CallerTasks } from './ports.js';

interface Ports {
  readonly sources: ExportSources;
  readonly tasks: CallerTasks;
  readonly reviews: CallerReviews;
}

interface TaskRequest extends ExportInput {
  readonly caller: commonV1.Caller;
  /** Whether to start no new task. */
  readonly existingOnly: boolean;
  /** Whether to skip the reviews of the months. */
  readonly withoutReview: boolean;
}

/** The task with the warnings about its file, if the task is new. */
export interface TaskAnswer extends AnsweredTask {
  readonly warnings: readonly ExportWarning[];
}

/**
 * Returns the task of an asynchronous request. A repeated request finds the task only by its fingerprint. Polling therefore reads no master
 * data, and later changes of master data do not hide the task from its owner.
 */
export async function answerWithTask({ sources, tasks, reviews }: Ports, request: TaskRequest): Promise<TaskAnswer> {
  const fingerprint = fingerprintOf(request.caller, request);
  const existing = await tasks.find(fingerprint);
  if (existing !== undefined) return { task: existing, started: false, warnings: [] };
  if (request.existingOnly) throw nothingNew();
  const run = await prepareExport(sources, request);
  await run.refuseUnencodable();
  const { exporter, parameters } = request;
  const spec = { exporter, parameters: meaningfulParameters(parameters), fileName: rawFileName(run) };
  const reviewed = request.withoutReview ? [] : reviewWarnings(reviews, run.request, REVIEW_WAIT_MS);
  const warnings = (await Promise.all([run.warnings(), reviewed])).flat();
  return { ...(await tasks.start({ fingerprint, export: spec, label: labelOf(run), skipped: run.skipped.length })), warnings };
}

/** Returns the error for a caller whose limit is used up and who has no existing task. */
export function nothingNew(): AppError {
  return new AppError('rate_limited', 'Request was throttled.');
}

/** Returns the name of the file of a task, which is always the raw export, regardless of `response_only`. */
function rawFileName({ request }: PreparedExport): string {
  return fileName({ ...request, responseOnly: true }) ?? request.exporter;
}

function labelOf({ request: { exporter, echo } }: PreparedExport): string {
  const [from, until] = echo.daterange.map((date) => date.split('-').reverse().join('.'));
  return `Export ${exporter}, ${from ?? ''} bis ${until ?? ''}`;
}
