import { finishJob } from './finish-job.js';
import { giveUp } from './give-up.js';
import { holdLease, type HeldLease } from './hold-lease.js';
import type { AttemptEnd, Job, Outcome, Ports } from './ports.js';
import { writeFile } from './write-file.js';

const REMOVAL_MS = 10_000;

/** Runs the job of a task, unless another worker does or the task no longer needs it. */
export async function runJob(ports: Ports, taskId: string): Promise<void> {
  const job = await ports.jobs.claim(taskId);
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
    outcome = await writeFile(ports, job, lease);
  } catch (caught) {
    await discardFile(ports, job);
    return lease.isLost() ? 'lost' : giveUp(ports, job, caught);
  }
  // Without an answer it is unknown whether the file counts, so it stays.
  if (await finishJob(ports, job, outcome)) return 'finished';
  await discardFile(ports, job);
  return 'lost';
}

/** A file that remains is removed with the task. */
async function discardFile({ files, logger }: Ports, { file, taskId }: Job): Promise<void> {
  const late = new Promise<never>((_, reject) => setTimeout(reject, REMOVAL_MS, new Error('It takes too long.')).unref());
  await Promise.race([files.remove(file), late]).catch((caught: unknown) =>
    logger.warn({ err: caught, task_id: taskId }, 'a file could not be removed'),
  );
}
