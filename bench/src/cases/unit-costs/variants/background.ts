import { setTimeout as sleep } from 'node:timers/promises';
import type { Run } from '../../../harness/types.js';
import { platformValues } from '../../../platform/measured-download.js';
import { measuredWork } from '../../../platform/measured-work.js';

const POLL_MS = 250;

/** Runs one export in the background and waits for the URL of its file. */
export const run: Run = ({ values }) => {
  const own = platformValues<{ readonly unitsEach: number }>(values);
  return measuredWork(own, async () => {
    for (;;) {
      const response = await fetch(own.url, { headers: { authorization: `Token ${own.token}` } });
      const task = (await response.json()) as { readonly status: string; readonly target: string | null };
      if (!response.ok || task.status === 'error') throw new Error(`The task failed: ${response.status} ${JSON.stringify(task)}`);
      if (task.target !== null) return own.unitsEach;
      await sleep(POLL_MS);
    }
  });
};
