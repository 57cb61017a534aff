import type { Run } from '../../../harness/types.js';
import { measuredDownload, platformValues } from '../../../platform/measured-download.js';

/** The same for two years in one file. */
export const run: Run = ({ values }) => {
  const own = platformValues<{ readonly twoYearsUrl: string }>(values);
  return measuredDownload({ ...own, url: own.twoYearsUrl });
};
