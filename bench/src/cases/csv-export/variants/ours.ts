import type { Run } from '../../../harness/types.js';
import { measuredDownload, platformValues } from '../../../platform/measured-download.js';

/** Over HTTP, through the whole platform. */
export const run: Run = ({ values, checking }) => measuredDownload(platformValues(values), { digest: checking });
