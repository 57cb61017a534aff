import { buffer } from 'node:stream/consumers';
import { waitFor } from '@stechuhr/testing';
import { call, open } from './http.js';

/** The response to an asynchronous request (spec, Export task). */
export interface ExportTask {
  readonly id: string;
  readonly created_at: string;
  readonly finished_at: string | null;
  readonly status: string;
  readonly target: string | null;
}

/** Starts a background export, or reads its task by repeating the request. */
export async function askForTask(address: string, token: string): Promise<ExportTask> {
  const answer = await call(address, { token });
  if (answer.status !== 200) throw new Error(`The task was rejected with ${answer.status}: ${answer.text}`);
  return answer.json as ExportTask;
}

/** Polls by repeating the request, like clients, until there is a file. Services may be unavailable in the meantime. */
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

/** Downloads a file by its signed URL, without a token. */
export async function download(
  target: string,
): Promise<{ readonly status: number; readonly type: string | undefined; readonly body: Buffer }> {
  const response = await open(target);
  return { status: response.statusCode ?? 0, type: response.headers['content-type'], body: await buffer(response) };
}
