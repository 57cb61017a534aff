import { setTimeout as sleep } from 'node:timers/promises';
import type { Run } from '../../../harness/types.js';
import { platformValues } from '../../../platform/measured-download.js';
import { measuredWork } from '../../../platform/measured-work.js';

const IDLE_MS = { quick: 500, full: 20_000 };

/** Does nothing, to measure what idle services need. */
export const run: Run = ({ values, quick }) =>
  measuredWork(platformValues(values), async () => {
    await sleep(quick ? IDLE_MS.quick : IDLE_MS.full);
    return 0;
  });
