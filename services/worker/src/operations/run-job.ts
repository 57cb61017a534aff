import { BUNDLE_EXPORTER } from '@stechuhr/contracts';
import { namedSkipped, prepareExport } from '@stechuhr/export-runs';
import { contentType } from '@stechuhr/exporting';
import { finishJob, giveUp } from './end-attempt.js';
import { holdLease, type HeldLease } from './hold-lease.js';
import type { AttemptEnd, Job, JobOfTask, Outcome, Ports, Run } from './ports.js';
import { untilUploaded, watchChunks } from './watch-upload.js';

const REMOVAL_MS = 10_000;

/** Runs the job of a task, unless another worker runs it or the task no longer needs it. */
export async function runJob(ports: Ports, task: JobOfTask): Promise<void> {
  const job = await ports.jobs.claim(task);
  if (job === undefined) return;
  const lease = holdLease(ports, job);
  try {
    ports.attemptEnded(await attempt(ports, job, lease));
  } finally {
    await lease.stop();
  }
}

async function attempt(ports: Ports, job: Job, lease: HeldLease): Promise<AttemptEnd> {
  let outcome: Outcome;
  try {
    // The account may have been deleted before the task was stored; the deletion would then have missed the task.
    if (!(await ports.accountExists(job.caller, lease.signal))) {
      await ports.jobs.abandon(job);
      return 'lost';
    }
    outcome = await writeFile(ports, job, lease);
  } catch (caught) {
    await discardFile(ports, job);
    return (await lease.isLost()) ? 'lost' : giveUp(ports, job, caught);
  }
  // If there was no response, it is unknown whether the file counts, so it is kept.
  if (await finishJob(ports, job, outcome)) return 'finished';
  await discardFile(ports, job);
  return 'lost';
}

/** Writes and stores the file. Only the part in transfer is held in memory. */
async function writeFile(ports: Ports, job: Job, lease: HeldLease): Promise<Outcome> {
  const { files } = ports;
  await files.ensureBucket();
  const run = job.exporter === BUNDLE_EXPORTER ? ports.bundleOf(job, lease.signal) : await exportRun(ports, job, lease.signal);
  lease.follow(run.progress);
  const { chunks, busyMs } = watchChunks(run.write());
  const upload = files.putStream(job.file, chunks, run.contentType);
  const sizeBytes = await untilUploaded(upload, { signal: lease.signal, busyMs });
  return { rows: run.progress.rows, sizeBytes, skipped: namedSkipped(run.skipped) };
}

/** Returns the run of an export, as in a synchronous request with `response_only`. */
async function exportRun({ sourcesOf }: Ports, { caller, exporter, parameters }: Job, signal: AbortSignal): Promise<Run> {
  const run = await prepareExport(sourcesOf(caller, signal), { exporter, parameters: { ...parameters, response_only: 'true' } });
  const { progress, skipped, request } = run;
  return { progress, skipped, contentType: contentType(request), write: () => run.write() };
}

/** Removes the file. If that fails, it is removed with the task. */
async function discardFile({ files, logger }: Ports, { file, taskId }: Job): Promise<void> {
  const late = new Promise<never>((_, reject) => setTimeout(reject, REMOVAL_MS, new Error('It takes too long.')).unref());
  await Promise.race([files.remove(file), late]).catch((caught: unknown) =>
    logger.warn({ err: caught, task_id: taskId }, 'a file could not be removed'),
  );
}
