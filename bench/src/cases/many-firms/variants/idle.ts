import { percentile } from '../../../harness/statistics.js';
import type { Run } from '../../../harness/types.js';
import { platformValues } from '../../../platform/measured-download.js';
import type { ManyFirmsValues } from '../case.js';
import { requestsOf } from '../requests.js';

const TIMES = { quick: 20, full: 1_000 };

/** Requests lists of different firms sequentially on an idle platform. */
export const run: Run = async ({ values, quick }) => {
  const requests = requestsOf(platformValues<ManyFirmsValues>(values), 'idle');
  const times: number[] = [];
  for (let n = 0; n < (quick ? TIMES.quick : TIMES.full); n += 1) times.push((await requests.list()()) ?? Number.NaN);
  return { values: { p50Ms: percentile(times, 0.5), p99Ms: percentile(times, 0.99), asked: times.length } };
};
