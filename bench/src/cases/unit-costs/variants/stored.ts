import type { Run } from '../../../harness/types.js';
import { platformValues } from '../../../platform/measured-download.js';
import type { StoredSizes } from '../stored-sizes.js';

/** Bytes at rest, which were counted before. */
export const run: Run = ({ values }) => {
  const { sizes } = platformValues<{ readonly sizes: StoredSizes }>(values);
  return Promise.resolve({ values: { ...sizes } });
};
