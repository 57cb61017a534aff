import type { Run } from '../../../harness/types.js';
import { formatAll } from '../instants.js';

/** The Swedish locale formats dates like ISO 8601, but with a blank instead of the T. */
const format = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin', dateStyle: 'short', timeStyle: 'medium' });

export const run: Run = async (input) => formatAll(input, (instant) => format.format(instant * 1000).replace(' ', 'T'));
