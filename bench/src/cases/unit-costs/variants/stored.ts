import type { Run } from '../../../harness/types.js';
import { platformValues } from '../../../platform/measured-download.js';
import type { StoredSizes } from '../stored-sizes.js';

/** Returns the sizes of stored data, which were measured while preparing the case. */
export const run: Run = ({ values }) => {
  const { sizes } = platformValues<{ readonly sizes: StoredSizes }>(values);
  return Promise.resolve({ values: { ...sizes } });
};
