import { formatInTimeZone } from 'date-fns-tz';
import type { Run } from '../../../harness/types.js';
import { formatAll } from '../instants.js';

export const run: Run = async (input) =>
  formatAll(input, (instant) => formatInTimeZone(instant * 1000, 'Europe/Berlin', "yyyy-MM-dd'T'HH:mm:ss"));
