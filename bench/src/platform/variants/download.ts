import type { Run } from '../../harness/types.js';
import { measuredDownload, platformValues } from '../measured-download.js';

interface DownloadValues {
  readonly bytesPerSecond?: number;
}

/** Downloads a file over HTTP through the whole platform. */
export const run: Run = ({ values, checking }) => {
  const own = platformValues<DownloadValues>(values);
  return measuredDownload(own, { digest: checking, ...(own.bytesPerSecond === undefined ? {} : { bytesPerSecond: own.bytesPerSecond }) });
};
