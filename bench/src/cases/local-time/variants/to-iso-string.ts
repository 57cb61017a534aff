import type { Run } from '../../../harness/types.js';
import { formatAll } from '../instants.js';

/** The time that JavaScript itself needs for a text of this format, although in UTC instead of local time. */
export const run: Run = async (input) => formatAll(input, (instant) => new Date(instant * 1000).toISOString());
