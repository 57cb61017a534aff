import { buffer } from 'node:stream/consumers';
import { waitFor } from '@stechuhr/testing';
import { call, open } from './http.js';

/** What an asynchronous request is answered with (spec, Export task). */
export interface ExportTask {
  readonly id: string;
  readonly created_at: string;
  readonly finished_at: string | null;
  readonly status: string;
  readonly target: string | null;
}

/** Starts an export in the background, or asks for it again. */
export async function askForTask(address: string, token: string): Promise<ExportTask> {
  const answer = await call(address, { token });
  if (answer.status !== 200) throw new Error(`The task was refused with ${answer.status}: ${answer.text}`);
  return answer.json as ExportTask;
}

/** Polls as clients do, by the same request, until there is a file; dependencies may be unavailable in the meantime. */
export function finishedTask(address: string, token: string, timeoutMs = 120_000): Promise<ExportTask & { readonly target: string }> {
  return waitFor(
    async () => {
      const { target, ...task } = await askForTask(address, token);
      if (task.status === 'error') throw new Error('The task ended in error.');
      return target !== null && { ...task, target };
    },
    { timeoutMs },
  );
}

/** Downloads a file as anyone with its address could. */
export async function download(
  target: string,
): Promise<{ readonly status: number; readonly type: string | undefined; readonly body: Buffer }> {
  const response = await open(target);
  return { status: response.statusCode ?? 0, type: response.headers['content-type'], body: await buffer(response) };
}
