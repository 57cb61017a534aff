import type { commonV1, tasksV1 } from '@stechuhr/contracts';
import { AppError } from '@stechuhr/kernel';
import { callUnary } from '@stechuhr/service';
import type { CallerTasks } from '../operations/ports.js';

/** The tasks service for one caller. Calls end when the signal aborts. They can be repeated, because identical calls start one task. */
export function callerTasks(client: tasksV1.TasksServiceClient, caller: commonV1.Caller, signal: AbortSignal): CallerTasks {
  const options = { signal, idempotent: true };
  return {
    find: async (fingerprint) => (await callUnary(client, client.findExport, { caller, fingerprint }, options)).task,
    async start(input) {
      const { task, started } = await callUnary(client, client.startExport, { caller, ...input }, options);
      if (task === undefined) throw new AppError('internal', 'Internal error.', { cause: new Error('The answer has no task.') });
      return { task, started };
    },
  };
}
