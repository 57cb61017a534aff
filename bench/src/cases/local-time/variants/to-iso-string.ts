import type { Run } from '../../../harness/types.js';
import { formatAll } from '../instants.js';

/** The wrong zone: what the platform itself needs for a text of this shape. */
export const run: Run = async (input) => formatAll(input, (instant) => new Date(instant * 1000).toISOString());
