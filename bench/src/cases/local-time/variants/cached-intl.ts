import type { Run } from '../../../harness/types.js';
import { formatAll } from '../instants.js';

/** Swedish dates are those of ISO 8601, with a blank instead of the T. */
const format = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin', dateStyle: 'short', timeStyle: 'medium' });

export const run: Run = async (input) => formatAll(input, (instant) => format.format(instant * 1000).replace(' ', 'T'));
