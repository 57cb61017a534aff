import { setTimeout as sleep } from 'node:timers/promises';
import type { Run } from '../../../harness/types.js';
import { platformValues } from '../../../platform/measured-download.js';

const POLL_MS = 250;

interface Task {
  readonly status: string;
  readonly target: string | null;
}

/**
 * Measures from the request to the URL of the file, with polling like a client. The last polling interval is subtracted, because it is the
 * client's own wait.
 */
export const run: Run = async ({ values }) => {
  const { url, token } = platformValues(values);
  const startedAt = performance.now();
  let polls = 0;
  for (;;) {
    const response = await fetch(`${url}&is_async=true`, { headers: { authorization: `Token ${token}` } });
    const task = (await response.json()) as Task;
    if (!response.ok || task.status === 'error') throw new Error(`The task failed: ${response.status} ${JSON.stringify(task)}`);
    if (task.target !== null) return { values: { wallMs: performance.now() - startedAt - (polls === 0 ? 0 : POLL_MS), polls } };
    await sleep(POLL_MS);
    polls += 1;
  }
};
