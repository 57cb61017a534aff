import type { BusMessage, ConsumeOptions } from '@stechuhr/bus';
import { exportJobSchema, exportJobSubject, streams } from '@stechuhr/contracts';
import { AppError } from '@stechuhr/kernel';
import type { Ports } from '../operations/ports.js';
import { runJob } from '../operations/run-job.js';

const DELIVERIES = 20;
const BACKOFF_MS = [250];

/** Takes one message per slot; other workers get what this process cannot start now. */
export function exportJobConsumer(ports: Ports, slots: number): ConsumeOptions {
  return {
    stream: streams.jobs.name,
    durable: 'worker-export',
    filterSubject: exportJobSubject,
    concurrency: slots,
    deadLetter: 'export',
    maxAttempts: DELIVERIES,
    backoffMs: BACKOFF_MS,
    handler: (message) => onExportJob(ports, message),
  };
}

/** The tasks service counts attempts; only jobs that never became an attempt fail here. */
async function onExportJob(ports: Ports, message: BusMessage): Promise<void> {
  const parsed = exportJobSchema.safeParse(message.json());
  if (!parsed.success) throw new AppError('invalid', 'The message is not a valid job.', { cause: parsed.error });
  try {
    const { task_id: taskId, institution_id: institutionId } = parsed.data;
    await runJob(ports, { taskId, institutionId });
  } catch (caught) {
    // The tasks service has been unavailable for long; it publishes the job again once it is back. Earlier, the stream would drop the repeated
    // message as a duplicate.
    const mayBeRepeated = Date.now() - message.storedAt.getTime() >= streams.jobs.duplicateWindowMs;
    if (AppError.from(caught).code === 'unavailable' && mayBeRepeated) return;
    throw caught;
  }
}
