import { formatInTimeZone } from 'date-fns-tz';
import type { Run } from '@stechuhr/bench/harness/types.js';
import { formatAll } from '@stechuhr/bench/cases/local-time/instants.js';

export const run: Run = async (input) =>
  formatAll(input, (instant) => formatInTimeZone(instant * 1000, 'Europe/Berlin', "yyyy-MM-dd'T'HH:mm:ss"));
