import type { BusMessage, ConsumeOptions } from '@stechuhr/bus';
import { exportJobSchema, exportJobSubject, streams } from '@stechuhr/contracts';
import { AppError } from '@stechuhr/kernel';
import type { Ports } from '../operations/ports.js';
import { runJob } from '../operations/run-job.js';

const DELIVERIES = 20;
const BACKOFF_MS = [250];

/** A message for each slot: what this process cannot start now is for others. */
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

/** Attempts are counted by tasks; only what never became one fails here. */
async function onExportJob(ports: Ports, message: BusMessage): Promise<void> {
  const parsed = exportJobSchema.safeParse(message.json());
  if (!parsed.success) throw new AppError('invalid', 'The message is not a valid job.', { cause: parsed.error });
  try {
    const { task_id: taskId, institution_id: institutionId } = parsed.data;
    await runJob(ports, { taskId, institutionId });
  } catch (caught) {
    // Tasks is unavailable for long; it publishes the job again when it is back. Before, the stream would drop the repeat.
    const mayBeRepeated = Date.now() - message.storedAt.getTime() >= streams.jobs.duplicateWindowMs;
    if (AppError.from(caught).code === 'unavailable' && mayBeRepeated) return;
    throw caught;
  }
}
