import type { Run } from '../../../harness/types.js';
import { download } from '../../../platform/download.js';
import { platformValues } from '../../../platform/measured-download.js';
import { measuredWork } from '../../../platform/measured-work.js';

/** Repeats the same request, each time over a new connection, like most clients. */
export const run: Run = ({ values }) => {
  const own = platformValues<{ readonly times: number; readonly unitsEach: number }>(values);
  return measuredWork(own, async () => {
    for (let n = 0; n < own.times; n += 1) await download(own);
    return own.times * own.unitsEach;
  });
};
