import { setTimeout as delay } from 'node:timers/promises';
import { tasksV1, type exportsV1 } from '@stechuhr/contracts';
import { AppError } from '@stechuhr/kernel';
import { readStream, RUN_STALL_MS } from '@stechuhr/service';
import { Failure } from '../failure.js';
import type { Output } from '../output.js';
import type { Platform } from '../platform.js';
import { untilInterrupted } from '../until-interrupted.js';
import { download } from './download.js';
import { showProgress } from './task-progress.js';

/** Requests the task for an export. With `existingOnly`, no new task is started. */
type AskForTask = (existingOnly: boolean) => Promise<{ readonly task: tasksV1.ExportTask; readonly started: boolean }>;

const { TaskStatus } = tasksV1;
const POLL_MS = 500;
/** How long the services may be unavailable while the task runs. */
const PATIENCE_MS = 120_000;

interface Around {
  readonly platform: Platform;
  readonly output: Output;
  readonly institutionId: string;
}

/**
 * Starts a task, or joins that of an identical request, and waits for its file.
 * @returns the file, and the id of the task
 * @throws Failure if the task failed, or if the wait was interrupted; in that case the task continues
 */
export async function runInBackground(
  ask: AskForTask,
  { platform, output, institutionId }: Around,
): Promise<{ readonly task_id: string; readonly chunks: AsyncIterable<Uint8Array> }> {
  const { task, started } = await ask(false);
  output.note(started ? `Task ${task.id} was started.` : `Task ${task.id} of the same request exists already.`);
  const stop = showProgress({ id: task.id, institutionId, natsUrl: () => platform.natsUrl(), createdAt: task.createdAt });
  try {
    return { task_id: task.id, chunks: await download(await finished(ask, task)) };
  } finally {
    await stop();
  }
}

/** Requests the task of an export. */
export async function askForExport(client: exportsV1.ExportsServiceClient, request: exportsV1.RunExportRequest) {
  for await (const { part } of readStream(client, client.runExport, request, { stallMs: RUN_STALL_MS })) {
    if (part?.$case === 'task' && part.value.task !== undefined) return { task: part.value.task, started: part.value.started };
  }
  throw new Failure('The exports service answered without a task.', 1);
}

async function finished(ask: AskForTask, first: tasksV1.ExportTask): Promise<string> {
  let task = first;
  let answeredAt = performance.now();
  await untilInterrupted(async (signal) => {
    while (!isEnded(task) && !signal.aborted) {
      await delay(POLL_MS, undefined, { signal }).catch(() => undefined);
      const answer = await ask(true).catch((caught: unknown) => unlessPatient(caught, task, answeredAt));
      if (answer === undefined) continue;
      ({ task } = answer);
      answeredAt = performance.now();
    }
  });
  if (!isEnded(task))
    throw new Failure(`The task is still running: stechuhr tasks show ${task.id}. Repeating the command finds it again.`, 1);
  if (task.target !== undefined) return task.target;
  throw new Failure(`Task ${task.id} ended in error. After "stechuhr tasks delete ${task.id}" it can be started again.`, 1);
}

/** Rethrows the error of a request for the task, unless a service is unavailable for a short time, as during an upgrade. */
function unlessPatient(caught: unknown, { id }: tasksV1.ExportTask, answeredAt: number): undefined {
  const { code } = AppError.from(caught);
  // The answer if there is no such task any more and none may be started.
  if (code === 'rate_limited') throw new Failure(`Task ${id} was deleted, or was started more than twelve hours ago.`, 1, caught);
  if (code !== 'unavailable' || performance.now() - answeredAt > PATIENCE_MS) throw caught;
}

function isEnded({ status, target }: tasksV1.ExportTask): boolean {
  return status === TaskStatus.TASK_STATUS_ERROR || target !== undefined;
}
