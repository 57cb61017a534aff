import { download } from '../../../platform/download.js';
import { platformValues } from '../../../platform/measured-download.js';
import { percentile } from '../../../harness/statistics.js';
import type { Run } from '../../../harness/types.js';

const WARM_UP = 3;
const PAGES = { quick: 3, full: 20 };

/** Requests the same page repeatedly. */
export const run: Run = async ({ values, quick }) => {
  const { url, token } = platformValues(values);
  const times: number[] = [];
  for (let n = -WARM_UP; n < (quick ? PAGES.quick : PAGES.full); n += 1) {
    const { wallMs } = await download({ url, token });
    if (n >= 0) times.push(wallMs);
  }
  return { values: { p50Ms: percentile(times, 0.5), worstMs: Math.max(...times) } };
};
