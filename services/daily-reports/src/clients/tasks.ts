import { hash } from 'node:crypto';
import { BUNDLE_EXPORTER, visibilityKey, type commonV1, type tasksV1 } from '@stechuhr/contracts';
import { AppError } from '@stechuhr/kernel';
import { callUnary } from '@stechuhr/service';
import type { BundleTasks } from '../operations/ports.js';

/** The tasks service for one caller. Calls end when the signal aborts. They can be repeated, because identical calls start one task. */
export function bundleTasks(
  client: tasksV1.TasksServiceClient,
  caller: commonV1.Caller,
  signal: AbortSignal,
): BundleTasks<tasksV1.ExportTask> {
  const options = { signal, idempotent: true };
  return {
    async find(parameters) {
      const { task } = await callUnary(client, client.findExport, { caller, fingerprint: fingerprintOf(caller, parameters) }, options);
      return task && { task, started: false };
    },
    async start({ parameters, fileName, label }) {
      const spec = { exporter: BUNDLE_EXPORTER, parameters, fileName };
      const fingerprint = fingerprintOf(caller, parameters);
      const { task, started } = await callUnary(
        client,
        client.startExport,
        { caller, fingerprint, export: spec, label, skipped: 0 },
        options,
      );
      if (task === undefined) throw new AppError('internal', 'Internal error.', { cause: new Error('The answer has no task.') });
      return { task, started };
    },
  };
}

/**
 * Returns the fingerprint by which two requests are identical: the account, everything that determines its visibility at this moment, and
 * the parameters.
 */
function fingerprintOf({ institutionId, accountId, visibility }: commonV1.Caller, parameters: Readonly<Record<string, string>>): string {
  return hash('sha256', JSON.stringify([institutionId, accountId, visibilityKey(visibility), BUNDLE_EXPORTER, parameters]), 'hex');
}
