import type { BusMessage, ConsumeOptions } from '@stechuhr/bus';
import { exportJobSchema, exportJobSubject, streams } from '@stechuhr/contracts';
import { AppError } from '@stechuhr/kernel';
import type { Ports } from '../operations/ports.js';
import { runJob } from '../operations/run-job.js';

const LONGEST_PAUSE_MS = 30_000;
const BACKOFF_MS = [250, 1_000, 5_000, 15_000, LONGEST_PAUSE_MS];
/**
 * All pauses together are longer than the stream drops duplicates: if the message were given up earlier, tasks could not publish the job again, and
 * a failure of some seconds would delay it by minutes.
 */
const ATTEMPTS = BACKOFF_MS.length + streams.jobs.duplicateWindowMs / LONGEST_PAUSE_MS;

/**
 * Returns the consumer of jobs. It takes only one message for each slot, so that other workers get the jobs that this process cannot start
 * now.
 */
export function exportJobConsumer(ports: Ports, slots: number): ConsumeOptions {
  return {
    stream: streams.jobs.name,
    durable: 'worker-export',
    filterSubject: exportJobSubject,
    concurrency: slots,
    deadLetter: 'export',
    maxAttempts: ATTEMPTS,
    backoffMs: BACKOFF_MS,
    handler: (message) => onExportJob(ports, message),
  };
}

/** Handles the message of a job. The tasks service counts attempts; only failures before an attempt starts are failures here. */
async function onExportJob(ports: Ports, message: BusMessage): Promise<void> {
  const parsed = exportJobSchema.safeParse(message.json());
  if (!parsed.success) throw new AppError('invalid', 'The message is not a valid job.', { cause: parsed.error });
  try {
    const { task_id: taskId, institution_id: institutionId } = parsed.data;
    await runJob(ports, { taskId, institutionId, messageId: message.header('Nats-Msg-Id') });
  } catch (caught) {
    // If tasks has been unavailable for this long, the message is dropped, because tasks publishes the job again once it is available.
    // Earlier, the stream would drop that as a duplicate.
    const mayBeRepeated = Date.now() - message.storedAt.getTime() >= streams.jobs.duplicateWindowMs;
    if (AppError.from(caught).code === 'unavailable' && mayBeRepeated) return;
    throw caught;
  }
}
